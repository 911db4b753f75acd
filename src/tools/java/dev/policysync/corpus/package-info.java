/// What `lint` says of policies that others wrote, counted: `dev/lint-corpus`.
@NullMarked
package dev.policysync.corpus;

import org.jspecify.annotations.NullMarked;
