package dev.policysync.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.Json;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ViolationCounterTest {
  private static final PolicyId TEAM = PolicyId.of(PolicyKind.CLUSTER_POLICY, "team");
  private static final PolicyId CEL = PolicyId.of(PolicyKind.VALIDATING_POLICY, "team");

  @TempDir private Path folder;

  private final Reports reports = new Reports();

  @Test
  void countsWhatFailsTheRuleByNamespace() {
    reports.add("shop", "Deployment", "cart", result("kyverno", "team", "autogen-r", "fail", 100));
    reports.add("shop", "Deployment", "web", result("kyverno", "team", "autogen-r", "warn", 300));
    reports.add("pay", "Pod", "alone", result("kyverno", "team", "r", "error", 200));
    reports.add("pay", "Pod", "well", result("kyverno", "team", "r", "pass", 500));

    var count = ask(TEAM, "r").orElseThrow();

    assertThat(count.namespaces()).containsExactly(Map.entry("shop", 2L), Map.entry("pay", 1L));
    assertThat(count.names())
        .extracting(Resource::label)
        .containsExactly("Pod/pay/alone", "Deployment/shop/cart", "Deployment/shop/web");
    assertThat(count.newest()).contains(Instant.ofEpochSecond(500));
  }

  @Test
  void doesNotCountOtherRulesPoliciesAndKinds() {
    reports.add(
        "shop",
        "Deployment",
        "cart",
        result("kyverno", "team", "r", "pass", 100),
        result("kyverno", "team", "other", "fail", 100),
        result("kyverno", "another", "r", "fail", 100),
        result("KyvernoValidatingPolicy", "team", "", "fail", 100));

    assertThat(ask(TEAM, "r").orElseThrow().namespaces()).isEmpty();
    assertThat(ask(CEL, "").orElseThrow().namespaces()).containsExactly(Map.entry("shop", 1L));
  }

  @Test
  void hasNoCountWhereNoResultTellsAnything() {
    reports.add("shop", "Deployment", "cart", result("kyverno", "team", "other", "fail", 100));

    assertThat(ask(TEAM, "r")).isEmpty();
    assertThat(answer(TEAM, "r").anyReports()).isTrue();
  }

  @Test
  void knowsThatThereAreNoReportsAtAll() {
    assertThat(answer(TEAM, "r").anyReports()).isFalse();
  }

  @Test
  void countsSomethingThatFailsTwoRulesOnce() {
    reports.add(
        "shop",
        "Deployment",
        "cart",
        result("kyverno", "team", "r", "fail", 100),
        result("kyverno", "team", "s", "fail", 100));

    assertThat(ask(TEAM, "").orElseThrow().namespaces()).containsExactly(Map.entry("shop", 1L));
  }

  @Test
  void countsAPodWhereItsControllerIs() {
    reports.add("shop", "Deployment", "cart", result("kyverno", "team", "autogen-r", "fail", 100));
    reports.add("shop", "Pod", "cart-7d9f8c6b5-x2k4q", result("kyverno", "team", "r", "fail", 100));

    assertThat(ask(TEAM, "r").orElseThrow().namespaces()).containsExactly(Map.entry("shop", 1L));
  }

  @Test
  void namesTheFirstFew() {
    IntStream.range(0, 30)
        .forEach(i ->
            reports.add(
                "shop", "Pod", "p%02d".formatted(i), result("kyverno", "team", "r", "fail", 100)));

    var count = ask(TEAM, "r").orElseThrow();

    assertThat(count.names()).hasSize(10);
    assertThat(count.names().getLast().name()).isEqualTo("p09");
    assertThat(count.namespaces()).containsExactly(Map.entry("shop", 30L));
  }

  @Test
  void holdsWhatFitsInMemoryWhereThereIsNoFolder() {
    reports.add("shop", "Deployment", "cart", result("kyverno", "team", "r", "fail", 100));
    var violationCounter = new ViolationCounter(reports, List.of(folder.resolve("missing")), 10);

    var queryResult = violationCounter.count(List.of(question(TEAM, "r")));

    assertThat(queryResult.policies()).containsOnlyKeys(TEAM);
  }

  @Test
  void failsWhereAListIsNotComplete() {
    reports.broken = true;

    assertThatThrownBy(() -> answer(TEAM, "r")).isInstanceOf(CollectionFailed.class);
  }

  private Optional<ViolationCounter.Count> ask(PolicyId policy, String rule) {
    return Optional.ofNullable(answer(policy, rule).policies().get(policy));
  }

  private ViolationCounter.QueryResult answer(PolicyId policy, String rule) {
    return new ViolationCounter(reports, List.of(folder), 10)
        .count(List.of(question(policy, rule)));
  }

  /// @param rule empty for all of them
  private static ViolationCounter.Query question(PolicyId policy, String rule) {
    return new ViolationCounter.Query(
        policy,
        named -> rule.isEmpty() || named.is(rule),
        (named, _) -> rule.isEmpty() || named.is(rule));
  }

  private static String result(
      String source, String policy, String rule, String result, long seconds) {
    return """
    {"source": "%s", "policy": "%s", "rule": "%s", "result": "%s",
     "timestamp": {"seconds": %d, "nanos": 0}}
    """
        .formatted(source, policy, rule, result, seconds);
  }

  /// Reports of one kind, on one page.
  private static final class Reports implements ReportSource {
    private final List<String> objects = new ArrayList<>();
    private boolean broken;

    void add(String namespace, String kind, String name, String... results) {
      objects.add(
          """
          {"metadata": {"name": "%s", "namespace": "%s"},
           "scope": {"kind": "%s", "name": "%s", "namespace": "%s", "uid": "uid-%s-%s"},
           "results": [%s]}
          """
              .formatted(
                  name, namespace, kind, name, namespace, kind, name, String.join(", ", results)));
    }

    @Override
    public Kinds kinds() {
      var kinds = new EnumMap<ReportKind, String>(ReportKind.class);
      kinds.put(ReportKind.POLICY_REPORT, "v1alpha2");
      return new Kinds(kinds, Map.of());
    }

    @Override
    public <P extends PageReader> List<P> list(ReportKind kind, String version, Supplier<P> page) {
      if (broken) {
        throw new CollectionFailed("list PolicyReport.wgpolicyk8s.io: HTTP 403");
      }
      var reader = page.get();
      for (var object : objects) {
        try (var parser = Json.parser(new ByteArrayInputStream(object.getBytes(UTF_8)))) {
          parser.nextToken();
          reader.object(parser);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return List.of(reader);
    }

    @Override
    public <P extends PageReader> List<P> list(
        PolicyKind kind, String version, Extent extent, Supplier<P> page) {
      throw new AssertionError("nobody needs the policies");
    }

    @Override
    public Optional<String> kyvernoVersion() {
      throw new AssertionError("nobody needs the version");
    }
  }
}
