/// Policies of kyverno.io, which Kyverno 1.20 no longer executes, as policies of
/// policies.kyverno.io with the same verdicts; start at [Converter]. `match` and `exclude` are
/// translated by [MatchTranslation].
@NullMarked
package dev.policysync.convert;

import org.jspecify.annotations.NullMarked;
