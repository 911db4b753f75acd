/// Reading CEL ([Cel]) and JMESPath ([JmesPath]): whether an expression follows the grammar, and
/// what its text shows.
@NullMarked
package dev.policysync.lint.expression;

import org.jspecify.annotations.NullMarked;
