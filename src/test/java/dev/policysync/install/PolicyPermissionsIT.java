package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Agent;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Rounds;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What the chart's roles allow on policies: without any single permission of it one step fails and
/// says which permission is missing. `make torture` takes each verb from each kind.
class PolicyPermissionsIT extends Installed {
  @ParameterizedTest
  @EnumSource
  void namesWhateverPermissionOnAKindIsTakenAway(PolicyKind kind) {
    insights.expects(feed(List.of(kind), "changes", "goes"));
    var first = agent.run();
    insights.expects(
        feed(List.of(kind), "changes", "appears").replace("\"note\":\"old\"", "\"note\":\"new\""));

    assertThat(first.exitCode()).as(first.all()).isZero();
    for (var verb : verbs(kind)) {
      assertThat(preview(kind, verb)).contains(step(kind, verb));
    }
  }

  /// In every build each kind has one verb taken away and each verb is taken from three kinds.
  private static List<String> verbs(PolicyKind kind) {
    var all = Permission.VERBS;
    return Rounds.isTorture() ? all : List.of(all.get(PolicyKind.all().indexOf(kind) % all.size()));
  }

  /// What cannot be done without that verb.
  private String step(PolicyKind kind, String verb) {
    return switch (verb) {
      case "list" -> "list " + kind.qualified();
      case "get" -> "read " + policy(kind, "changes");
      case "create" -> "apply " + policy(kind, "appears");
      case "patch" -> "apply " + policy(kind, "changes");
      case "delete" -> "remove " + policy(kind, "goes");
      default -> throw new IllegalArgumentException(verb);
    };
  }

  /// What a preview says that lacks this one permission; RBAC judges a dry run as it does a write.
  private String preview(PolicyKind kind, String verb) {
    without(chart.only("ClusterRole"), Permission.of(verb, kind));

    Agent.Run run = agent.run("diff");

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.all())
        .contains(
            "add the verb "
                + verb
                + " on "
                + kind.plural()
                + "."
                + kind.group()
                + " to the agent's ClusterRole");
    return run.all();
  }

  private String policy(PolicyKind kind, String name) {
    return kind.label() + "/" + (kind.namespaced() ? namespace + "/" : "") + name;
  }
}
