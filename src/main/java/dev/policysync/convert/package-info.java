/// Policies of kyverno.io, which Kyverno 1.20 no longer executes, as policies of
/// policies.kyverno.io with the same verdicts; start at [Converter].
///
/// [MatchTranslation] translates `match` and `exclude`, [PatternTranslation] patterns, [Conditions]
/// preconditions and `deny`, [Foreach] `foreach`, [ContextVariables] the context,
/// [JmesPathTranslation] the JMESPath in these, and [PodSecurityStandard] `validate.podSecurity`,
/// each into CEL ([Cel]), exactly as Kyverno 1.19 evaluates it.
@NullMarked
package dev.policysync.convert;

import org.jspecify.annotations.NullMarked;
