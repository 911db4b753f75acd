/// What Kyverno means by a policy: which action a rule has and where, what an exception serves, how
/// names and patterns match, and what each release does; start at [EffectiveActionResolver].
@NullMarked
package dev.policysync.policy.kyverno;

import org.jspecify.annotations.NullMarked;
