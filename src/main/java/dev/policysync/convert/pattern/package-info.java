/// Patterns of validate rules as CEL, exactly as Kyverno 1.19's engine judges them. Start at
/// [dev.policysync.convert.pattern.PatternTranslation].
@NullMarked
package dev.policysync.convert.pattern;

import org.jspecify.annotations.NullMarked;
