package dev.policysync.report;

import static dev.policysync.report.ReportSamples.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Rehearsal;
import dev.policysync.policy.Rehearsal.Comparison;
import dev.policysync.policy.Rehearsal.Found;
import dev.policysync.policy.Rehearsal.Successor;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerdictComparerTest {
  private static final PolicyId TEAM = PolicyId.of(PolicyKind.CLUSTER_POLICY, "team");

  /// The content of all policies changed last then.
  private static final Instant SINCE = Instant.parse("1970-01-01T00:16:40.999Z");

  private static final long BEFORE = 999;
  private static final long AFTER = 1000;

  @TempDir private Path folder;

  private final FakeReportSource reports = new FakeReportSource();

  @Test
  void agreesWhereBothSayTheSame() {
    on("Pod/shop/well", legacy("r", "pass"), successor("team", "pass"));
    on("Pod/shop/bad", legacy("r", "fail"), successor("team", "fail"));
    on("Deployment/pay/cart", legacy("autogen-r", "fail"), successor("team", "fail"));

    assertThat(compared("r", "team")).isEqualTo(new Comparison(3, Found.NONE, Found.NONE));
  }

  @ParameterizedTest
  @CsvSource({"warn, fail", "error, fail", "fail, warn", "fail, error", "warn, error"})
  void takesWhateverIsNoPassForAFailure(String legacy, String successor) {
    on("Pod/shop/bad", legacy("r", legacy), successor("team", successor));

    assertThat(compared("r", "team")).isEqualTo(new Comparison(1, Found.NONE, Found.NONE));
  }

  @Test
  void takesASkipForNoResult() {
    on("Pod/shop/none", legacy("r", "skip"));
    on("Pod/shop/both", legacy("r", "skip"), successor("team", "skip"));
    on("Pod/shop/legacy", legacy("r", "pass"), successor("team", "skip"));
    on("Pod/shop/successor", legacy("r", "skip"), successor("team", "fail"));

    assertThat(compared("r", "team"))
        .isEqualTo(
            new Comparison(
                1,
                found("Pod/shop/legacy"),
                found("Pod/shop/successor (rule r: no result, its successor: fail)")));
  }

  @Test
  void namesWhereTheVerdictsDiffer() {
    on("Deployment/shop/cart", legacy("autogen-r", "fail"), successor("team", "pass"));
    on("Pod/shop/alone", legacy("r", "pass"), successor("team", "fail"));

    assertThat(compared("r", "team").differing())
        .isEqualTo(
            found(
                "Deployment/shop/cart (rule r: fail, its successor: pass)",
                "Pod/shop/alone (rule r: pass, its successor: fail)"));
  }

  @Test
  void missesASuccessorsResultOfWhatTheLegacyPolicyJudges() {
    on("Pod/shop/well", legacy("r", "pass"));
    on("Pod/shop/bad", legacy("r", "fail"));

    assertThat(compared("r", "team"))
        .isEqualTo(new Comparison(2, found("Pod/shop/bad", "Pod/shop/well"), Found.NONE));
  }

  @Test
  void letsASuccessorPassWhatTheLegacyPolicyDoesNotJudge() {
    on("Pod/shop/well", successor("team", "pass"));

    assertThat(compared("r", "team")).isEqualTo(new Comparison(0, Found.NONE, Found.NONE));
  }

  @Test
  void differsWhereASuccessorFailsWhatTheLegacyPolicyDoesNotJudge() {
    on("Pod/shop/bad", successor("team", "fail"));

    assertThat(compared("r", "team").differing())
        .isEqualTo(found("Pod/shop/bad (rule r: no result, its successor: fail)"));
  }

  @Test
  void waitsForTheLegacyPolicysResultWhereItsLastOneIsTooOld() {
    on("Pod/shop/bad", legacy("r", "fail", BEFORE), successor("team", "fail"));
    on("Pod/shop/well", legacy("r", "fail", BEFORE), successor("team", "pass"));
    on("Pod/shop/both", legacy("r", "fail", BEFORE), successor("team", "pass", BEFORE));

    assertThat(compared("r", "team"))
        .isEqualTo(
            new Comparison(0, found("Pod/shop/bad", "Pod/shop/both", "Pod/shop/well"), Found.NONE));
  }

  @Test
  void doesNotWaitWhereThereIsANewerResultBesideOneThatIsTooOld() {
    on(
        "Pod/shop/well",
        legacy("autogen-r", "fail", BEFORE),
        legacy("r", "skip"),
        successor("team", "pass"));

    assertThat(compared("r", "team")).isEqualTo(new Comparison(0, Found.NONE, Found.NONE));
  }

  @Test
  void waitsWhereTheLegacyPolicysResultOfAnotherRuleIsTooOld() {
    on("Pod/shop/bad", legacy("other", "skip", BEFORE), successor("team", "fail"));
    on("Pod/shop/sure", legacy("unconverted", "fail", BEFORE), successor("team", "fail"));

    assertThat(compared(successorOf("r", "team"), successorOf("other", "of-other")))
        .isEqualTo(
            new Comparison(
                0,
                found("Pod/shop/bad"),
                found("Pod/shop/sure (rule r: no result, its successor: fail)")));
  }

  @ParameterizedTest
  @ValueSource(longs = {BEFORE, 0})
  void takesAResultFromBeforeTheLastChangeOrFromNobodyKnowsWhenForNone(long seconds) {
    on("Pod/shop/bad", legacy("r", "fail"), successor("team", "pass", seconds));

    assertThat(compared("r", "team"))
        .isEqualTo(new Comparison(1, found("Pod/shop/bad"), Found.NONE));
  }

  @Test
  void asksEachPolicyForResultsSinceItsOwnLastChange() {
    on("Pod/shop/bad", legacy("r", "fail", 500), successor("team", "fail", 700));
    var query =
        new Rehearsal(
            TEAM,
            Instant.ofEpochSecond(400),
            List.of(new Successor(successorId("team"), Instant.ofEpochSecond(600), "r")));

    assertThat(compared(List.of(query)))
        .containsExactly(Map.entry(TEAM, new Comparison(1, Found.NONE, Found.NONE)));
  }

  @Test
  void ignoresOtherRulesAndPolicies() {
    on(
        "Pod/shop/well",
        legacy("r", "pass"),
        legacy("unconverted", "fail"),
        ReportSamples.result("kyverno", "another", "r", "fail", AFTER),
        ReportSamples.result("KyvernoImageValidatingPolicy", "team", "", "fail", AFTER),
        ReportSamples.result("kyverno", "shop/team", "r", "fail", AFTER),
        successor("another", "fail"),
        successor("team", "pass"));

    assertThat(compared("r", "team")).isEqualTo(new Comparison(1, Found.NONE, Found.NONE));
  }

  @ParameterizedTest
  @CsvSource({
    "r, autogen-r",
    "r, autogen-cronjob-r",
    "defaults, autogen-defaults",
    "autogen-r, autogen-r",
    "a-rule-with-a-name-of-sixty-three-characters-as-none-is-longer, "
        + "autogen-cronjob-a-rule-with-a-name-of-sixty-three-characters-as",
    "a-rule-with-a-name-of-sixty-three-characters-as-none-is-longer, "
        + "autogen-a-rule-with-a-name-of-sixty-three-characters-as-none-is"
  })
  void knowsARuleByTheNamesThatKyvernoDerives(String rule, String reported) {
    on("CronJob/shop/nightly", legacy(reported, "fail"), successor("team", "fail"));

    assertThat(compared(rule, "team")).isEqualTo(new Comparison(1, Found.NONE, Found.NONE));
  }

  @Test
  void takesARuleThatIsWrittenLikeADerivedOneByItsName() {
    on("Pod/shop/a", legacy("r", "pass"), successor("a", "pass"));
    on("Pod/shop/b", legacy("autogen-r", "fail"), successor("b", "fail"));

    assertThat(compared(successorOf("r", "a"), successorOf("autogen-r", "b")))
        .isEqualTo(new Comparison(2, Found.NONE, Found.NONE));
  }

  @Test
  void comparesPodsAndTheirControllersEachForItself() {
    on("Deployment/shop/cart", legacy("autogen-r", "fail"), successor("team", "fail"));
    on("Pod/shop/cart-7d9f8c6b5-x2k4q", legacy("r", "fail"));

    assertThat(compared("r", "team"))
        .isEqualTo(new Comparison(2, found("Pod/shop/cart-7d9f8c6b5-x2k4q"), Found.NONE));
  }

  @Test
  void takesSeveralSuccessorsOfARuleTogether() {
    on("Pod/shop/any-fails", legacy("r", "fail"), successor("a", "pass"), successor("b", "fail"));
    on("Pod/shop/one-passes", legacy("r", "pass"), successor("a", "pass"), successor("b", "skip"));
    on("Pod/shop/other-passes", legacy("r", "pass"), successor("b", "pass"));
    on("Pod/shop/none", legacy("r", "pass"), successor("a", "skip"), successor("b", "skip"));

    assertThat(compared(successorOf("r", "a"), successorOf("r", "b")))
        .isEqualTo(new Comparison(4, found("Pod/shop/none"), Found.NONE));
  }

  @Test
  void takesSeveralResultsOfARuleTogether() {
    on(
        "Pod/shop/bad",
        legacy("r", "fail", AFTER),
        legacy("autogen-r", "pass", AFTER + 1),
        legacy("r", "pass", AFTER + 2),
        successor("team", "fail"));

    assertThat(compared("r", "team")).isEqualTo(new Comparison(1, Found.NONE, Found.NONE));
  }

  @Test
  void comparesEachRuleAndCountsAResourceOnce() {
    on(
        "Pod/shop/bad",
        legacy("s", "pass"),
        legacy("r", "fail"),
        legacy("q", "fail"),
        successor("of-r", "pass"),
        successor("of-s", "fail"));

    assertThat(
            compared(successorOf("r", "of-r"), successorOf("s", "of-s"), successorOf("q", "of-q")))
        .isEqualTo(
            new Comparison(
                1,
                found("Pod/shop/bad"),
                found(
                    "Pod/shop/bad (rule r: fail, its successor: pass;"
                        + " rule s: pass, its successor: fail)")));
  }

  @Test
  void tellsResourcesOfOneNameApart() {
    reports.with(
        ReportKind.POLICY_REPORT,
        report("shop", "Pod/cart/uid-1", legacy("r", "fail")),
        report("shop", "Pod/cart/uid-2", successor("team", "pass")));

    assertThat(compared("r", "team"))
        .isEqualTo(new Comparison(1, found("Pod/shop/cart"), Found.NONE));
  }

  @Test
  void comparesWhatIsInDifferentReports() {
    IntStream.range(0, 300)
        .forEach(i -> {
          on("Pod/shop/pod-" + i, legacy("r", "fail"));
          on("Pod/shop/pod-" + i, successor("team", "fail"));
        });

    assertThat(compared("r", "team")).isEqualTo(new Comparison(300, Found.NONE, Found.NONE));
  }

  @Test
  void namesTheFirstFewAndCountsAll() {
    IntStream.range(0, 30)
        .forEach(i -> {
          on("Pod/shop/m%02d".formatted(i), legacy("r", "pass"));
          on("Pod/shop/d%02d".formatted(i), legacy("r", "pass"), successor("team", "fail"));
        });

    var comparison = compared("r", "team");

    assertThat(comparison.judged()).isEqualTo(60);
    assertThat(comparison.missing().resources()).isEqualTo(30);
    assertThat(comparison.missing().names())
        .hasSize(10)
        .startsWith("Pod/shop/m00", "Pod/shop/m01")
        .endsWith("Pod/shop/m09");
    assertThat(comparison.differing().resources()).isEqualTo(30);
    assertThat(comparison.differing().names())
        .hasSize(10)
        .endsWith("Pod/shop/d09 (rule r: pass, its successor: fail)");
  }

  @Test
  void doesNotCountReportsThatANewerOneMakesStale() {
    reports.with(
        ReportKind.REPORT,
        report(
            "shop",
            "Pod/cart/uid-1",
            legacy("r", "pass", AFTER + 2_000_000_000),
            successor("team", "pass", AFTER + 2_000_000_000)));
    on("Pod/shop/cart", legacy("r", "fail"), successor("team", "pass"));
    reports.with(
        ReportKind.POLICY_REPORT,
        report("shop", "Pod/cart/uid-1", legacy("r", "fail"), successor("team", "pass")));

    assertThat(compared("r", "team").differing())
        .isEqualTo(found("Pod/shop/cart (rule r: fail, its successor: pass)"));
    assertThat(compared("r", "team").judged()).isEqualTo(2);
  }

  @Test
  void doesNotCountWhatWasReadOfAListThatBeganAnew() {
    reports.breakingOffAfter(report("shop", "Pod/gone/uid-gone", legacy("r", "fail")));
    on("Pod/shop/well", legacy("r", "pass"), successor("team", "pass"));

    assertThat(compared("r", "team")).isEqualTo(new Comparison(1, Found.NONE, Found.NONE));
  }

  @Test
  void answersEachQuestionInOneReading() {
    var owner = PolicyId.of(PolicyKind.CLUSTER_POLICY, "owner");
    on(
        "Pod/shop/bad",
        legacy("r", "fail"),
        successor("team", "fail"),
        ReportSamples.result("kyverno", "owner", "r", "fail", AFTER),
        successor("owner", "pass"));
    var nobody = PolicyId.of(PolicyKind.CLUSTER_POLICY, "nobody");

    var comparisons =
        compared(
            List.of(
                query(TEAM, successorOf("r", "team")),
                query(owner, successorOf("r", "owner")),
                query(nobody, successorOf("r", "nobody"))));

    assertThat(comparisons)
        .containsOnly(
            Map.entry(TEAM, new Comparison(1, Found.NONE, Found.NONE)),
            Map.entry(
                owner,
                new Comparison(
                    1, Found.NONE, found("Pod/shop/bad (rule r: fail, its successor: pass)"))),
            Map.entry(nobody, new Comparison(0, Found.NONE, Found.NONE)));
  }

  @Test
  void holdsWhatFitsInMemoryWhereThereIsNoFolder() {
    on("Pod/shop/well", legacy("r", "pass"), successor("team", "pass"));
    var comparer = new VerdictComparer(reports, List.of(folder.resolve("missing")), 10);

    assertThat(comparer.compare(List.of(query(TEAM, successorOf("r", "team")))).comparisons())
        .containsExactly(Map.entry(TEAM, new Comparison(1, Found.NONE, Found.NONE)));
  }

  @Test
  void tellsWhenTheNewestResultOfAnyPolicyWasMade() {
    var comparer = new VerdictComparer(reports, List.of(folder), 10);
    assertThat(comparer.compare(List.of(query(TEAM))).latest()).isEmpty();
    on("Pod/shop/well", legacy("r", "pass", 1_001), legacy("r", "skip", 1_003));

    assertThat(comparer.compare(List.of(query(TEAM, successorOf("r", "other")))).latest())
        .contains(Instant.ofEpochSecond(1_003));
    // Somebody else's reports do not show that Kyverno makes any.
    on("Pod/shop/cart", ReportSamples.result("Trivy", "team", "r", "fail", 1_009));
    var another = PolicyId.of(PolicyKind.CLUSTER_POLICY, "another");
    assertThat(comparer.compare(List.of(query(another))).latest())
        .contains(Instant.ofEpochSecond(1_003));
  }

  @Test
  void failsWhereAListIsNotComplete() {
    on("Pod/shop/well", legacy("r", "pass"), successor("team", "pass"));
    reports.refusing(ReportKind.POLICY_REPORT.qualified());

    assertThatThrownBy(() -> compared("r", "team")).isInstanceOf(CollectionFailed.class);
  }

  /// @param resource `Pod/shop/cart`
  private void on(String resource, String... results) {
    var words = resource.split("/", -1);
    reports.with(
        ReportKind.POLICY_REPORT,
        report(words[1], words[0] + "/" + words[2] + "/uid-of-" + words[2], results));
  }

  private static String legacy(String rule, String result) {
    return legacy(rule, result, AFTER);
  }

  private static String legacy(String rule, String result, long seconds) {
    return ReportSamples.result("kyverno", "team", rule, result, seconds);
  }

  private static String successor(String name, String result) {
    return successor(name, result, AFTER);
  }

  private static String successor(String name, String result, long seconds) {
    return ReportSamples.result("KyvernoValidatingPolicy", name, "", result, seconds);
  }

  private static Found found(String... names) {
    return new Found(names.length, List.of(names));
  }

  private static PolicyId successorId(String name) {
    return PolicyId.of(PolicyKind.VALIDATING_POLICY, name);
  }

  private static Successor successorOf(String rule, String name) {
    return new Successor(successorId(name), SINCE, rule);
  }

  private static Rehearsal query(PolicyId policy, Successor... successors) {
    return new Rehearsal(policy, SINCE, List.of(successors));
  }

  private Comparison compared(String rule, String successor) {
    return compared(successorOf(rule, successor));
  }

  private Comparison compared(Successor... successors) {
    var comparisons = compared(List.of(query(TEAM, successors)));
    assertThat(comparisons).containsOnlyKeys(TEAM);
    return comparisons.values().iterator().next();
  }

  private Map<PolicyId, Comparison> compared(List<Rehearsal> queries) {
    return new VerdictComparer(reports, List.of(folder), 10).compare(queries).comparisons();
  }
}
