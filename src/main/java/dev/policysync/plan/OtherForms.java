package dev.policysync.plan;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Succession;
import dev.policysync.policy.feed.ExpectedPolicies;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// In which form each policy of the feed is wanted, where it has several: as it is written there,
/// or as the successors that the agent made of it. A policy in a form that is not wanted goes when
/// the other one was found to be in force, and never in the run that writes that: whoever executes
/// policies takes a moment to learn of it, and this way it has until the next run.
public final class OtherForms {
  private final Set<PolicyId> inSync;
  private final Set<PolicyId> wanted;
  private final Map<PolicyId, Set<PolicyId>> replacements = new HashMap<>();

  private OtherForms(Set<PolicyId> inSync, Set<PolicyId> wanted) {
    this.inSync = inSync;
    this.wanted = wanted;
  }

  /// Those of a feed.
  ///
  /// @param wanted the ids of all that is expected
  /// @param inSync what of it is in sync
  public static OtherForms of(
      ExpectedPolicies expectedPolicies, Set<PolicyId> wanted, Collection<PolicyId> inSync) {
    var forms = new OtherForms(new HashSet<>(inSync), wanted);
    for (var policy : expectedPolicies.policies()) {
      policy
          .succession()
          .filter(succession -> succession.stage() == Succession.Stage.REPLACEMENT)
          .ifPresent(succession ->
              forms
                  .replacements
                  .computeIfAbsent(succession.legacy(), _ -> new TreeSet<>())
                  .add(policy.id()));
    }
    return forms;
  }

  /// The form that is wanted of a policy that is there in another one, which is not.
  public Optional<Form> of(LivePolicy there) {
    var legacy = Successors.legacyOf(there);
    if (legacy.filter(wanted::contains).isPresent()) {
      return Optional.of(new Form(Set.of(legacy.get())));
    }
    return Optional.ofNullable(replacements.get(legacy.orElse(there.id()))).map(Form::new);
  }

  /// The policies that are wanted.
  public final class Form {
    private final Set<PolicyId> ids;

    private Form(Set<PolicyId> ids) {
      this.ids = ids;
    }

    public Set<PolicyId> ids() {
      return ids;
    }

    /// Why what they replace has to stay.
    public Optional<String> objection(Map<PolicyId, LivePolicy> live) {
      return ids.stream()
          .filter(id -> !inSync.contains(id) || !ready(live.get(id)))
          .findFirst()
          .map(id -> "stays until " + id + " is in force");
    }

    private static boolean ready(@Nullable LivePolicy there) {
      return there != null
          && there.liveStatus().readiness() != LiveStatus.Readiness.NOT_READY
          && !there.terminating();
    }
  }
}
