/// Conditions of preconditions and `deny` as CEL, as the operators of Kyverno 1.19 compare. Start
/// at [dev.policysync.convert.condition.Conditions].
@NullMarked
package dev.policysync.convert.condition;

import org.jspecify.annotations.NullMarked;
