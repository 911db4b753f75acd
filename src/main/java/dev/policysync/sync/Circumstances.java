package dev.policysync.sync;

import dev.policysync.policy.PolicyId;
import java.util.Optional;
import java.util.Set;

/// What bears on a plan beside the feed and the cluster.
///
/// @param memory what earlier runs left
/// @param approval what a person consented to
/// @param identical policies that are not ours and that an apply would not change but for our marks
record Circumstances(Memory memory, Optional<Approval> approval, Set<PolicyId> identical) {
  static final Circumstances NONE = new Circumstances(Memory.NONE, Optional.empty(), Set.of());

  Circumstances {
    identical = Set.copyOf(identical);
  }
}
