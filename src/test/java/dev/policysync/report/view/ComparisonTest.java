package dev.policysync.report.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.report.Category;
import dev.policysync.report.CollectionStatistics;
import dev.policysync.report.FakeFindings;
import dev.policysync.report.Finding;
import dev.policysync.report.ReportResult;
import dev.policysync.report.ReportedPolicy;
import dev.policysync.report.Resource;
import dev.policysync.report.ResultMessage;
import dev.policysync.report.Severity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is new and what is gone since an earlier report, by the identity that `docs/report.md` has.
class ComparisonTest {
  private static final Instant MONDAY = Instant.parse("2026-11-16T08:00:00Z");
  private static final Instant TUESDAY = MONDAY.plus(Duration.ofDays(1));
  private static final Instant WEDNESDAY = TUESDAY.plus(Duration.ofDays(1));

  private static final Resource CART = new Resource("apps/v1", "Deployment", "shop", "cart", "u-1");
  private static final Resource NAMELESS = new Resource("v1", "Pod", "shop", "cart", "");

  @TempDir private Path folder;

  private final List<String> gone = new ArrayList<>();

  @Test
  void knowsWhatIsNewAndWhatIsGone() throws IOException {
    var stays = finding("kyverno", "team-label", "check", CART);
    var added = finding("kyverno", "limits", "check", CART);
    var left = finding("kyverno", "probes", "check", CART);

    var comparison = compare(List.of(stays, left), List.of(stays, added));

    assertThat(comparison.added()).isEqualTo(1);
    assertThat(comparison.isNew(added)).isTrue();
    assertThat(comparison.isNew(stays)).isFalse();
    assertThat(comparison.gone()).isEqualTo(1);
    assertThat(gone).containsExactly("probes");
    assertThat(comparison.since()).isEqualTo(MONDAY);
  }

  @ParameterizedTest
  @CsvSource({
    "kyverno,team-label,check,shop,cart,u-1,false",
    "kyverno,team-label,check,moved,renamed,u-1,false",
    "kyverno,team-label,check,shop,cart,u-2,true",
    "kyverno,team-label,other,shop,cart,u-1,true",
    "KyvernoValidatingPolicy,team-label,check,shop,cart,u-1,true",
    "kyverno,shop/team-label,check,shop,cart,u-1,true",
    "kyvernot,eam-label,check,shop,cart,u-1,true",
  })
  void tellsFindingsApartBySourcePolicyRuleAndUid(
      String source,
      String policy,
      String rule,
      String namespace,
      String name,
      String uid,
      boolean isNew)
      throws IOException {
    var earlier = finding("kyverno", "team-label", "check", CART);
    var now =
        finding(source, policy, rule, new Resource("apps/v1", "Deployment", namespace, name, uid));

    var comparison = compare(List.of(earlier), List.of(now));

    assertThat(comparison.isNew(now)).isEqualTo(isNew);
    assertThat(comparison.gone()).isEqualTo(isNew ? 1 : 0);
  }

  @Test
  void takesKindNamespaceAndNameWhereThereIsNoUid() throws IOException {
    var earlier = finding("trivy", "CVE-1", "", NAMELESS);
    var other = finding("trivy", "CVE-1", "", new Resource("v1", "Pod", "pay", "cart", ""));

    var comparison = compare(List.of(earlier), List.of(earlier, other));

    assertThat(comparison.isNew(earlier)).isFalse();
    assertThat(comparison.isNew(other)).isTrue();
  }

  @Test
  void carriesTheFirstTimeFromReportToReport() throws IOException {
    var monday = finding("kyverno", "team-label", "check", CART, MONDAY.minusSeconds(60));
    var tuesday = finding("kyverno", "team-label", "check", CART, TUESDAY.minusSeconds(60));
    var wednesday = finding("kyverno", "team-label", "check", CART, WEDNESDAY.minusSeconds(60));

    var first = write(MONDAY, FindingContext.of(head(MONDAY)), monday);
    var second = write(TUESDAY, context(first, TUESDAY, tuesday), tuesday);
    var third = context(second, WEDNESDAY, wednesday);

    assertThat(third.comparison().orElseThrow().firstSeen(wednesday))
        .contains(MONDAY.minusSeconds(60));
  }

  @Test
  void takesTheLastEvaluationOfAReportThatKnewNoFirstTime() throws IOException {
    var cart = finding("kyverno", "team-label", "check", CART);
    var file = folder.resolve("old.json");
    Files.writeString(
        file,
        """
        {"at":"2026-11-16T08:00:00Z","findings":[
          {"policy":"team-label","source":"kyverno","rule":"check","uid":"u-1",
           "seen":"2026-11-16T07:00:00Z"},
          {"policy":"CVE-1","source":"trivy","kind":"Pod","namespace":"shop","name":"cart",
           "seen":null}]}
        """);
    var pod = finding("trivy", "CVE-1", "", NAMELESS);

    var comparison = Comparison.of(Baseline.read(file), findings(cart, pod));

    assertThat(comparison.firstSeen(cart)).contains(Instant.parse("2026-11-16T07:00:00Z"));
    assertThat(comparison.firstSeen(pod)).contains(MONDAY);
  }

  @Test
  void readsAFileWhoseFieldsAToolHasSorted() throws IOException {
    var cart = finding("kyverno", "team-label", "check", CART);
    var file = folder.resolve("sorted.json");
    Files.writeString(
        file,
        """
        {"findings":[{"uid":"u-1","source":"kyverno","rule":"check","policy":"team-label"}],
         "cluster":"acme/prod-1","at":"2026-11-16T08:00:00Z"}
        """,
        StandardCharsets.UTF_16);

    var baseline = Baseline.read(file);

    assertThat(baseline.cluster()).isEqualTo("acme/prod-1");
    assertThat(Comparison.of(baseline, findings(cart)).isNew(cart)).isFalse();
  }

  @Test
  void keepsTenThousandFindingsApart() throws IOException {
    var file = folder.resolve("many.json");
    var all = new ArrayList<Finding>();
    for (var i = 0; i < 10_000; i++) {
      all.add(
          finding(
              "kyverno", "p", "r", new Resource("v1", "Pod", "shop", "pod", "uid-" + i), MONDAY));
    }
    try (var out = Files.newBufferedWriter(file)) {
      FindingsJson.write(
          findings(all.subList(0, 7_000).toArray(Finding[]::new)),
          FindingContext.of(head(MONDAY)),
          out);
    }

    var comparison =
        Comparison.of(
            Baseline.read(file), findings(all.subList(4_000, 10_000).toArray(Finding[]::new)));

    assertThat(comparison.added()).isEqualTo(3_000);
    assertThat(comparison.gone()).isEqualTo(4_000);
    assertThat(comparison.isNew(all.get(6_999))).isFalse();
    assertThat(comparison.isNew(all.get(7_000))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | it is empty",
        "[] | it is not one JSON object",
        "<!doctype html> | it is not JSON at line 1",
        "{\"findings\":[{\"policy\":\"p\" | it ends in the middle",
        "{\"at\":\"2026-11-16T08:00:00Z\"} | it has no list of findings",
        "{\"findings\":3} | its findings are not a list",
        "{\"findings\":[7]} | its findings are not those of a report",
        "{\"findings\":[{\"rule\":\"PS001\"}]} | its findings are not those of a report",
        "{\"findings\":[]} | it does not say when it was",
      })
  void saysOfAnythingElseThatItIsNoSuchReport(String content, String reason) throws IOException {
    var file = folder.resolve("other");
    Files.writeString(file, content);

    assertThatThrownBy(() -> Baseline.read(file))
        .isInstanceOf(UnreadableBaseline.class)
        .hasMessage(file + " is not what 'policy-sync report -o json' wrote: " + reason);
  }

  @Test
  void saysWhyAFileCannotBeRead() {
    var missing = folder.resolve("missing");

    assertThatThrownBy(() -> Baseline.read(missing))
        .hasMessage("cannot read " + missing + ": there is no such file");
    assertThatThrownBy(() -> Baseline.read(folder))
        .hasMessage(folder + " is not a regular file; write the report into one first");
  }

  private Comparison compare(List<Finding> earlier, List<Finding> now) throws IOException {
    var file = write(MONDAY, FindingContext.of(head(MONDAY)), earlier.toArray(Finding[]::new));
    var comparison = Comparison.of(Baseline.read(file), findings(now.toArray(Finding[]::new)));
    comparison.gone(finding -> gone.add(finding.policy()));
    return comparison;
  }

  private FindingContext context(Path earlier, Instant at, Finding... now) {
    var comparison = Comparison.of(Baseline.read(earlier), findings(now));
    return new FindingContext(head(at), Optional.of(comparison), Optional.empty());
  }

  private Path write(Instant at, FindingContext context, Finding... findings) throws IOException {
    var file = folder.resolve(at.getEpochSecond() + ".json");
    try (var out = Files.newBufferedWriter(file)) {
      FindingsJson.write(findings(findings), context, out);
    }
    return file;
  }

  private static ReportHeader head(Instant at) {
    return new ReportHeader("acme/prod-1", at, "");
  }

  private static FakeFindings findings(Finding... findings) {
    return FakeFindings.of(List.of(findings), Map.of(), CollectionStatistics.NONE, Map.of());
  }

  private static Finding finding(String source, String policy, String rule, Resource resource) {
    return finding(source, policy, rule, resource, MONDAY);
  }

  private static Finding finding(
      String source, String policy, String rule, Resource resource, Instant seen) {
    return new Finding(
        new ReportedPolicy(source, policy, Optional.empty(), policy, "", "", Optional.empty()),
        rule,
        ReportResult.FAIL,
        Severity.HIGH,
        Category.SECURITY,
        resource,
        ResultMessage.NONE,
        Optional.of(seen),
        0);
  }
}
