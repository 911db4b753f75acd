/// Preconditions, `deny`, `foreach` and context variables as CEL, as the operators of Kyverno 1.19
/// compare; start at [Conditions].
@NullMarked
package dev.policysync.convert.condition;

import org.jspecify.annotations.NullMarked;
