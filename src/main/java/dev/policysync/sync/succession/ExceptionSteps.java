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
      Collection<PolicyConversion> conversions, Map<PolicyId, Policy> written) {
    var exceptions = new HashMap<PolicyId, List<Policy>>();
    for (var conversion : conversions) {
      var exception = Objects.requireNonNull(written.get(conversion.policy()));
      for (var successor : conversion.successors()) {
        policy(successor)
            .map(policy -> exceptions.computeIfAbsent(policy, _ -> new ArrayList<>()))
            .ifPresent(all -> {
              all.add(exception);
              all.add(Forms.of(successor, exception, Stage.REPLACEMENT));
            });
      }
    }
    return exceptions;
  }

  /// Records how far the move of a policy has progressed.
  void at(PolicyId policy, Stage stage) {
    stages.put(policy, stage);
  }

  /// Returns the stage of such a successor; empty if its policy has none. A successor of an
  /// exception has no separate form for the rehearsal: the successors that are written with it must
  /// not become stricter.
  Optional<Stage> of(Successor exception) {
    return step(exception).map(Step::stage).map(ExceptionSteps::withoutRehearsal);
  }

  private static Stage withoutRehearsal(Stage stage) {
    return stage == Stage.REHEARSAL ? Stage.SIDE_BY_SIDE : stage;
  }

  /// Returns the progress of an exception: the progress of the slowest of its policies.
  Optional<Progress> of(PolicyConversion exception) {
    return exception.successors().stream()
        .map(this::step)
        .reduce((one, other) -> one.flatMap(stage -> other.map(stage::earlier)))
        .orElse(Optional.empty())
        .map(Step::progress);
  }

  private record Step(Stage stage, String reason) {
    private static final Comparator<Step> BY_STAGE =
        Comparator.comparing(Step::stage).thenComparing(Step::reason, Comparator.reverseOrder());

    Step earlier(Step other) {
      return BY_STAGE.compare(this, other) <= 0 ? this : other;
    }

    Progress progress() {
      return new Progress(stage, reason, false);
    }
  }

  private Optional<Step> step(Successor exception) {
    return policy(exception)
        .flatMap(
            policy -> Optional.ofNullable(stages.get(policy)).map(stage -> step(policy, stage)));
  }

  private Step step(PolicyId policy, Stage stage) {
    if (stage != Stage.REPLACEMENT) {
      return new Step(stage, "is removed after " + policy);
    }
    return there.contains(policy)
        ? new Step(Stage.SIDE_BY_SIDE, "is removed after " + policy)
        : new Step(stage, "");
  }

  private Optional<PolicyId> policy(Successor exception) {
    return exception.manifest().mapping("spec").mappings("policyRefs").stream()
        .flatMap((Value.Mapping reference) -> reference.text("name").stream())
        .map(name -> PolicyId.of(PolicyKind.VALIDATING_POLICY, name))
        .flatMap(id -> Optional.ofNullable(origins.get(id)).stream())
        .findFirst();
  }
}
