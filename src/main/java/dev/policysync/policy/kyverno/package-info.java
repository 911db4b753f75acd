/// The meaning of policies to Kyverno: a rule's effective action and its namespaces, the policies
/// that an exception names, matching of names and patterns, and the differences between releases;
/// start at [EffectiveActionResolver].
@NullMarked
package dev.policysync.policy.kyverno;

import org.jspecify.annotations.NullMarked;
