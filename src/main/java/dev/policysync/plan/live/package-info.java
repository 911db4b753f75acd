/// The cluster as planning sees it: [ActualPolicies], a [Listing] a kind, each [LivePolicy] by its
/// metadata, and why something could not be done ([Failure]).
@NullMarked
package dev.policysync.plan.live;

import org.jspecify.annotations.NullMarked;
