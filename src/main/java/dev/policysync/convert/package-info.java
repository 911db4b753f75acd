/// Policies of kyverno.io, which Kyverno 1.20 no longer executes, as policies of
/// policies.kyverno.io with the same verdicts. Start at [dev.policysync.convert.Converter].
@NullMarked
package dev.policysync.convert;

import org.jspecify.annotations.NullMarked;
