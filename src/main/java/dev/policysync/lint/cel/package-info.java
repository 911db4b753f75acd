/// Reading CEL expressions; start at [dev.policysync.lint.cel.Cel].
@NullMarked
package dev.policysync.lint.cel;

import org.jspecify.annotations.NullMarked;
