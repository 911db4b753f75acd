/// `check`: results as text and JSON.
@NullMarked
package dev.policysync.cli.check;

import org.jspecify.annotations.NullMarked;
