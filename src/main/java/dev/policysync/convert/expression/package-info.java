/// Kyverno's own language as CEL ([Cel]), exactly as Kyverno 1.19 evaluates it: patterns
/// ([PatternTranslation]), JMESPath ([JmesPathTranslation]), conditions ([Conditions]), `foreach`
/// and context variables.
@NullMarked
package dev.policysync.convert.expression;

import org.jspecify.annotations.NullMarked;
