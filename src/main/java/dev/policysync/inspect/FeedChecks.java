package dev.policysync.inspect;

import dev.policysync.inspect.ClusterDiagnostics.Kinds;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.FeedProblem;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Checks that the feed can be read, and that the cluster serves each kind in it.
public final class FeedChecks {
  static final String FEED = "feed";

  private final Supplier<ExpectedPolicies> feed;
  private final boolean fromApi;
  private final ClusterDiagnostics clusterDiagnostics;

  /// @param feed reads the feed; throws a [FeedProblem] if it cannot be trusted
  /// @param fromApi whether the feed is the API's, so that a failure of the API is named only once
  public FeedChecks(
      Supplier<ExpectedPolicies> feed, boolean fromApi, ClusterDiagnostics clusterDiagnostics) {
    this.feed = feed;
    this.fromApi = fromApi;
    this.clusterDiagnostics = clusterDiagnostics;
  }

  public List<Check> all() {
    var check = Check.of(FEED, this::feed).after(ClusterChecks.KINDS);
    return List.of(fromApi ? check.after(ApiChecks.API) : check);
  }

  private List<CheckResult> feed() {
    ExpectedPolicies expected;
    try {
      expected = feed.get();
    } catch (FeedProblem e) {
      return List.of(CheckResult.failure(FEED, e.reason()));
    }
    if (!expected.unreadable().isEmpty()) {
      var first = expected.unreadable().getFirst();
      return List.of(
          CheckResult.failure(
              FEED,
              count(expected.unreadable().size(), "document")
                  + " cannot be read as a policy, the first of them "
                  + first.positions().getFirst()
                  + ": "
                  + first.reason(),
              "correct it; until then nothing is removed"));
    }
    return clusterDiagnostics.kinds() instanceof ProbeResult.Got<Kinds>(var kinds)
        ? List.of(judge(expected.policies(), kinds))
        : List.of(CheckResult.unknown(FEED, "the kinds that the cluster serves are unknown"));
  }

  private static CheckResult judge(List<Policy> policies, Kinds kinds) {
    Map<PolicyKind, Long> absent =
        policies.stream()
            .map(policy -> policy.id().kind())
            .filter(kinds.missing()::containsKey)
            .collect(Collectors.groupingBy(kind -> kind, TreeMap::new, Collectors.counting()));
    if (absent.isEmpty()) {
      return CheckResult.ok(
          FEED, count(policies.size(), "policy") + ", and the cluster serves each of their kinds");
    }
    return CheckResult.failure(
        FEED,
        "the cluster does not serve "
            + absent.entrySet().stream()
                .map(kind -> kind.getKey().qualified() + " (" + kind.getValue() + " in the feed)")
                .collect(Collectors.joining(", ")),
        "install a release of Kyverno that has these kinds, or take these policies out of the"
            + " feed: each run fails on them");
  }

  private static String count(int number, String noun) {
    if (number == 1) {
      return "1 " + noun;
    }
    return number
        + " "
        + (noun.endsWith("y") ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s");
  }
}
