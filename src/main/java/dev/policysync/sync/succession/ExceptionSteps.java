package dev.policysync.sync.succession;

import dev.policysync.base.Value;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Succession.Stage;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.PolicyConversion.Progress;
import dev.policysync.sync.analysis.PolicyConversion.Successor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Decides how far the succession of each exception has progressed, by the policies that it names.
/// The successors of an exception are applied together with those of a policy, and the exception
/// stays until none of its policies is left in the cluster. Pure.
final class ExceptionSteps {
  private static final Comparator<Progress> SLOWEST_FIRST =
      Comparator.comparing(Progress::stage)
          .thenComparing(Progress::reason, Comparator.reverseOrder());

  private final Map<PolicyId, PolicyId> origins = new HashMap<>();
  private final Map<PolicyId, Stage> stages = new HashMap<>();
  private final Set<PolicyId> there;

  /// @param conversions the conversions of policies and exceptions
  /// @param there the ids of all live policies
  ExceptionSteps(Collection<PolicyConversion> conversions, Set<PolicyId> there) {
    this.there = there;
    for (var conversion : conversions) {
      conversion
          .successors()
          .forEach(successor -> origins.put(successor.id(), conversion.policy()));
    }
  }

  /// Returns for each policy its exceptions, each in both forms.
  ///
  /// @param written the policies as written in the feed
  Map<PolicyId, List<Policy>> byPolicy(
      Collection<PolicyConversion> exceptions, Map<PolicyId, Policy> written) {
    var byPolicy = new HashMap<PolicyId, List<Policy>>();
    for (var conversion : exceptions) {
      var exception = Objects.requireNonNull(written.get(conversion.policy()));
      for (var successor : conversion.successors()) {
        policy(successor)
            .map(policy -> byPolicy.computeIfAbsent(policy, _ -> new ArrayList<>()))
            .ifPresent(all -> {
              all.add(exception);
              all.add(Forms.of(successor, exception, Stage.REPLACEMENT));
            });
      }
    }
    return byPolicy;
  }

  /// Records how far the move of a policy has progressed.
  void at(PolicyId policy, Stage stage) {
    stages.put(policy, stage);
  }

  /// Returns the stage of such a successor; empty if its policy has none. A successor of an
  /// exception has no separate form for the rehearsal: the successors that are written with it must
  /// not become stricter.
  Optional<Stage> of(Successor exception) {
    return progress(exception)
        .map(Progress::stage)
        .map(stage -> stage == Stage.REHEARSAL ? Stage.SIDE_BY_SIDE : stage);
  }

  /// Returns the progress of an exception: the progress of the slowest of its policies.
  Optional<Progress> of(PolicyConversion exception) {
    var all = exception.successors().stream().map(this::progress).toList();
    return all.stream().allMatch(Optional::isPresent)
        ? all.stream().flatMap(Optional::stream).min(SLOWEST_FIRST)
        : Optional.empty();
  }

  private Optional<Progress> progress(Successor exception) {
    return policy(exception)
        .flatMap(policy ->
            Optional.ofNullable(stages.get(policy)).map(stage -> progress(policy, stage)));
  }

  private Progress progress(PolicyId policy, Stage stage) {
    if (stage == Stage.REPLACEMENT && !there.contains(policy)) {
      return new Progress(stage, "", false);
    }
    return new Progress(
        stage == Stage.REHEARSAL ? stage : Stage.SIDE_BY_SIDE, "is removed after " + policy, false);
  }

  private Optional<PolicyId> policy(Successor exception) {
    return exception.manifest().mapping("spec").mappings("policyRefs").stream()
        .flatMap((Value.Mapping reference) -> reference.text("name").stream())
        .map(name -> PolicyId.of(PolicyKind.VALIDATING_POLICY, name))
        .flatMap(id -> Optional.ofNullable(origins.get(id)).stream())
        .findFirst();
  }
}
