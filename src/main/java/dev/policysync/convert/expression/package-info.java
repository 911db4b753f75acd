/// Patterns ([PatternTranslation]) and JMESPath ([JmesPathTranslation]) as CEL ([Cel]), exactly as
/// Kyverno 1.19 evaluates them.
@NullMarked
package dev.policysync.convert.expression;

import org.jspecify.annotations.NullMarked;
