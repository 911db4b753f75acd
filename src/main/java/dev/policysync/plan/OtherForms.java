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

/// The form in which each policy of the feed is expected, if it has several: the policy as written
/// in the feed, or the successors that the agent made from it. A policy in another form is removed
/// once the expected form was found in force. This is never in the run that writes the expected
/// form: Kyverno needs a moment to learn of the new policy, and so gets the time until the next
/// run.
final class OtherForms {
  private final Set<PolicyId> inSync;
  private final Set<PolicyId> wanted;
  private final Map<PolicyId, Set<PolicyId>> replacements = new HashMap<>();

  private OtherForms(Set<PolicyId> inSync, Set<PolicyId> wanted) {
    this.inSync = inSync;
    this.wanted = wanted;
  }

  /// Collects the forms of the policies of a feed.
  ///
  /// @param wanted the ids of all expected policies
  /// @param inSync the expected policies that are in sync
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

  /// Returns the expected form of a live policy that is in another form.
  public Optional<Form> of(LivePolicy there) {
    var legacy = Successors.legacyOf(there);
    if (legacy.filter(wanted::contains).isPresent()) {
      return Optional.of(new Form(Set.of(legacy.get())));
    }
    return Optional.ofNullable(replacements.get(legacy.orElse(there.id()))).map(Form::new);
  }

  /// The policies that make up the expected form.
  public final class Form {
    private final Set<PolicyId> ids;

    private Form(Set<PolicyId> ids) {
      this.ids = ids;
    }

    public Set<PolicyId> ids() {
      return ids;
    }

    /// Returns why the policy that this form replaces has to stay.
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
