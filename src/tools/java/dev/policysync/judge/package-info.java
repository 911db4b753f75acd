/// What `dev/convert-corpus` measures by: kinds of rules, and the resources of their authors'
/// tests.
@NullMarked
package dev.policysync.judge;

import org.jspecify.annotations.NullMarked;
