/// Exceptions and context entries beside the policies that they serve: [ShieldedWrites] finds those
/// that a write needs, [DependencyGuard] keeps those that are still needed.
@NullMarked
package dev.policysync.plan.dependency;

import org.jspecify.annotations.NullMarked;
