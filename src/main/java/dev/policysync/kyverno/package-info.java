/// What Kyverno means by what a policy says: which action a rule has and where, what an exception
/// serves, what names and patterns stand for, and which release does what; start at
/// [dev.policysync.kyverno.EffectiveActionResolver].
@NullMarked
package dev.policysync.kyverno;

import org.jspecify.annotations.NullMarked;
