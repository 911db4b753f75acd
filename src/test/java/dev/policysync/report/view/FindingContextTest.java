package dev.policysync.report.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.report.ReportedPolicy;
import dev.policysync.report.Resource;
import dev.policysync.report.ResultCounts;
import dev.policysync.report.Totals;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is said of findings beyond the reports: age, owner, and which policy it is.
class FindingContextTest {
  @Test
  void countsTheAgeFromTheLastEvaluationWhereNothingEarlierIsKnown() {
    var findings = ViewSamples.few().stream().toList();

    assertThat(ViewSamples.CONTEXT.age(findings.getFirst())).isEqualTo(Duration.ofMinutes(10));
    assertThat(ViewSamples.CONTEXT.age(findings.getLast())).isZero();
  }

  @Test
  void countsTheAgeFromTheFirstTimeThatAnEarlierReportSaw(@TempDir Path folder) throws IOException {
    var context = ViewSamples.sinceYesterday(folder);
    var findings = ViewSamples.few().stream().toList();

    assertThat(findings.stream().map(context::age))
        .containsExactly(Duration.ofDays(3), Duration.ofMinutes(1), Duration.ofDays(1));
    assertThat(findings.stream().map(context::isNew))
        .containsExactly(Optional.of(false), Optional.of(true), Optional.of(false));
  }

  @Test
  void saysAnAgeInTheLargestUnitThatTellsSomething() {
    assertThat(
            Stream.of(
                    Duration.ofSeconds(59),
                    Duration.ofMinutes(59),
                    Duration.ofMinutes(60),
                    Duration.ofHours(47),
                    Duration.ofHours(48),
                    Duration.ofDays(1_000))
                .map(DisplayText::age))
        .containsExactly("0 min", "59 min", "1 h", "47 h", "2 days", "1,000 days");
  }

  @Test
  void takesTheLabelOfTheNamespaceForTheOwner() {
    var owners = new Owners("team", Map.of("shop", "storefront", "empty", ""), true);

    assertThat(owners.of(new Resource("v1", "Pod", "shop", "cart", ""))).contains("storefront");
    assertThat(owners.of(new Resource("v1", "Namespace", "", "shop", ""))).contains("storefront");
    assertThat(owners.of(new Resource("v1", "Node", "", "shop", ""))).isEmpty();
    assertThat(owners.of(new Resource("v1", "Pod", "empty", "cart", ""))).isEmpty();
    assertThat(owners.of(new Resource("v1", "Pod", "other", "cart", ""))).isEmpty();
  }

  @Test
  void tellsPoliciesOfOneNameApart() {
    var classic = policy("kyverno", "labels", PolicyId.of(PolicyKind.CLUSTER_POLICY, "labels"));
    var cel =
        policy(
            "KyvernoValidatingPolicy",
            "labels",
            PolicyId.of(PolicyKind.VALIDATING_POLICY, "labels"));
    var unknown = policy("", "labels", PolicyId.of(PolicyKind.CLUSTER_POLICY, "labels"));
    var gone =
        new ReportedPolicy("trivy", "labels", Optional.empty(), "", "", "", Optional.empty());
    var shops =
        policy(
            "kyverno", "shop/labels", PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "labels"));

    assertThat(labels(classic, shops)).containsExactly("labels", "shop/labels");
    assertThat(labels(classic, cel, gone))
        .containsExactly("labels (ClusterPolicy)", "labels (ValidatingPolicy)", "labels (trivy)");
    var totals = List.of(new Totals.OfPolicy(classic, ResultCounts.NONE));
    var policyIndex =
        new PolicyIndex(new Totals(ResultCounts.NONE, totals, List.of(), Map.of(), Map.of()));
    assertThat(policyIndex.label("kyverno", "labels")).isEqualTo("labels");
    assertThat(policyIndex.label("trivy", "labels")).isEqualTo("labels (trivy)");
    assertThat(policyIndex.label("trivy", "CVE-1")).isEqualTo("CVE-1");
    assertThat(labels(classic, unknown)).containsExactly("labels (kyverno)", "labels (no source)");
  }

  private static ReportedPolicy policy(String source, String name, PolicyId id) {
    return new ReportedPolicy(source, name, Optional.of(id), name, "", "", Optional.empty());
  }

  private static List<String> labels(ReportedPolicy... policies) {
    var totals =
        new Totals(
            ResultCounts.NONE,
            Stream.of(policies)
                .map(policy -> new Totals.OfPolicy(policy, ResultCounts.NONE))
                .toList(),
            List.of(),
            Map.of(),
            Map.of());
    var policyIndex = new PolicyIndex(totals);
    return Stream.of(policies).map(policyIndex::label).toList();
  }
}
