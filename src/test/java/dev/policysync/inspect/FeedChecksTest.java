package dev.policysync.inspect;

import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.FeedProblem;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class FeedChecksTest {
  private final FakeClusterDiagnostics cluster = new FakeClusterDiagnostics();

  @Test
  void isContentIfTheClusterServesEachKind() {
    assertThat(check(() -> feed(clusterPolicy("a"), clusterPolicy("b"))))
        .containsExactly(
            CheckResult.ok("feed", "2 policies, and the cluster serves each of their kinds"));
  }

  @Test
  void namesTheKindsThatTheClusterDoesNotServe() {
    cluster.kinds =
        new ProbeResult.Got<>(
            FakeClusterDiagnostics.servedBut(EnumSet.of(PolicyKind.VALIDATING_POLICY)));
    var cel = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "c"));

    assertThat(check(() -> feed(clusterPolicy("a"), cel)).getFirst().found())
        .isEqualTo(
            "the cluster does not serve ValidatingPolicy.policies.kyverno.io (1 in the feed)");
  }

  @Test
  void saysWhyTheFeedCannotBeRead() {
    assertThat(
            check(() -> {
              throw new FeedProblem("GET …: HTTP 404", false);
            }))
        .containsExactly(CheckResult.failure("feed", "GET …: HTTP 404"));
  }

  /// A refused token is one cause, which the check of the API names.
  @Test
  void dependsOnTheApiOnlyIfTheFeedIsThere() {
    Supplier<ExpectedPolicies> feed = () -> feed(clusterPolicy("a"));

    assertThat(new FeedChecks(feed, true, cluster).all().getFirst().after())
        .containsExactly("kinds", "API");
    assertThat(new FeedChecks(feed, false, cluster).all().getFirst().after())
        .containsExactly("kinds");
  }

  private static ExpectedPolicies feed(Policy... policies) {
    return new ExpectedPolicies(List.of(policies), List.of());
  }

  private List<CheckResult> check(Supplier<ExpectedPolicies> feed) {
    return FakeClusterDiagnostics.ask(new FeedChecks(feed, true, cluster).all(), "feed");
  }
}
