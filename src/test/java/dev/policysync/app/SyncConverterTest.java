package dev.policysync.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.policysync.convert.Conversion;
import dev.policysync.convert.Converter;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.feed.LocatedPolicy;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.PolicyConversion.Refusal;
import dev.policysync.sync.analysis.PolicyConversion.Successor;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.StopReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a sync is told of the policies of its feed, also where converting one breaks.
class SyncConverterTest {
  private static final String LABELS =
      """
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata:
        name: labels
      spec:
        rules:
          - name: team
            match: {any: [{resources: {kinds: [v1/ConfigMap]}}]}
            validate: {failureAction: Audit, pattern: {metadata: {labels: {team: "?*"}}}}
          - name: tier
            match: {any: [{resources: {kinds: [v1/ConfigMap]}}]}
            validate: {failureAction: Audit, pattern: {metadata: {labels: {tier: "?*"}}}}
      """;
  private static final String CLEANUP =
      """
      apiVersion: kyverno.io/v2
      kind: CleanupPolicy
      metadata: {name: old, namespace: shop}
      spec: {schedule: "* * * * *"}
      """;

  private final Cancellation stop = new Cancellation(Duration.ofMinutes(4), () -> 0);

  @Test
  void namesTheSuccessors() {
    var conversion = preview(LABELS).getFirst();

    assertThat(conversion.policy()).isEqualTo(PolicyId.of(PolicyKind.CLUSTER_POLICY, "labels"));
    assertThat(conversion.refusals()).isEmpty();
    assertThat(conversion.successors())
        .extracting(Successor::id, Successor::rule)
        .containsExactly(
            tuple(PolicyId.of(PolicyKind.VALIDATING_POLICY, "labels-team"), "team"),
            tuple(PolicyId.of(PolicyKind.VALIDATING_POLICY, "labels-tier"), "tier"));
    assertThat(conversion.successors().getFirst().manifest().mapping("metadata"))
        .extracting(metadata -> metadata.text("name"))
        .isEqualTo(Optional.of("labels-team"));
  }

  @Test
  void saysWhereAndWhyThereIsNone() {
    assertThat(preview(LABELS + "---\n" + CLEANUP).getLast())
        .isEqualTo(
            new PolicyConversion(
                PolicyId.of(PolicyKind.CLEANUP_POLICY, "shop", "old"),
                List.of(),
                List.of(
                    new Refusal(
                        "",
                        new Position("feed", 2, 15, 1),
                        "a CleanupPolicy",
                        "nothing proves that its successor deletes the same; write it by hand"))));
  }

  @Test
  void findsThePlaceInAnItemOfAList() {
    var list =
        """
        apiVersion: v1
        kind: List
        items:
          - apiVersion: kyverno.io/v1
            kind: ClusterPolicy
            metadata: {name: mutating}
            spec:
              rules:
                - name: label
                  match: {any: [{resources: {kinds: [v1/ConfigMap]}}]}
                  mutate: {patchStrategicMerge: {metadata: {labels: {team: none}}}}
        """;

    assertThat(preview(list))
        .singleElement()
        .satisfies(conversion ->
            assertThat(conversion.refusals())
                .extracting(Refusal::rule, Refusal::position, Refusal::construct)
                .containsExactly(tuple("label", new Position("feed", 1, 11, 11), "mutate")));
  }

  /// A sync logs it, and a variable may be any text (promise 13).
  @ParameterizedTest
  @ValueSource(strings = {"s3cret", "\\\"s3cret\\\"", "request.s3cret", "s3cret(request.object)"})
  void quotesNoVariable(String variable) {
    var policy =
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata: {name: quoted}
        spec:
          rules:
            - name: quoted
              match: {any: [{resources: {kinds: [v1/ConfigMap]}}]}
              validate:
                failureAction: Audit
                deny: {conditions: {any: [{key: "{{ %s }}", operator: Equals, value: a}]}}
        """
            .formatted(variable);

    var conversions = preview(policy);

    assertThat(conversions)
        .singleElement()
        .satisfies(conversion -> assertThat(conversion.refusals()).isNotEmpty());
    assertThat(conversions.toString()).contains("rule quoted: ").doesNotContain("s3cret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rules: [{name: a, S3CRET: a}]", "S3CRET: a"})
  void quotesNoFieldThatNoApiHas(String spec) {
    var policy =
        """
        {apiVersion: kyverno.io/v1, kind: ClusterPolicy, metadata: {name: a}, spec: {%s}}
        """
            .formatted(spec);

    assertThat(preview(policy).toString()).contains("… cannot be converted").doesNotContain("S3C");
  }

  @ParameterizedTest
  @CsvSource({"a b, a b", "a\\n\\e[2Jb, ''"})
  void namesARuleThatKyvernoCouldTake(String written, String shown) {
    assertThat(ruleOf(written)).isEqualTo(shown);
    assertThat(ruleOf("a".repeat(63))).hasSize(63);
    assertThat(ruleOf("a".repeat(64))).isEmpty();
  }

  private String ruleOf(String name) {
    var policy =
        """
        {apiVersion: kyverno.io/v1, kind: ClusterPolicy, metadata: {name: a},
         spec: {rules: [{name: "%s", generate: {}}]}}
        """
            .formatted(name);
    return preview(policy).getFirst().refusals().getFirst().rule();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDefectStopsNoOtherPolicy(boolean deep) {
    var conversions =
        converted(
            LABELS.replace("name: labels", "name: odd") + "---\n" + LABELS,
            (policy, _) -> {
              if (policy.id().name().equals("odd")) {
                if (deep) {
                  throw new StackOverflowError();
                }
                throw new ClassCastException("as by a defect");
              }
              return new Converter().convert(policy);
            });

    assertThat(conversions)
        .extracting(conversion -> conversion.policy().name(), PolicyConversion::converted)
        .containsExactly(tuple("odd", false), tuple("labels", true));
    assertThat(conversions.getFirst().refusals())
        .containsExactly(
            new Refusal(
                "",
                new Position("feed", 1, 1, 1),
                "a policy that causes an internal error in policy-sync",
                "please report it, and write the successor by hand"));
  }

  @Test
  void aPolicyThatIsNotFoundAgainIsADefectToo() {
    var conversions =
        SyncConverter.until(stop).of(feed(CLEANUP), policies(CLEANUP + "---\n" + LABELS));

    assertThat(conversions)
        .extracting(conversion -> conversion.refusals().getFirst().construct())
        .containsExactly(
            "a CleanupPolicy", "a policy that causes an internal error in policy-sync");
  }

  @Test
  void convertsNothingMoreAfterTheSignToStop() {
    var tried = new ArrayList<String>();

    var conversions =
        converted(
            LABELS + "---\n" + CLEANUP,
            (policy, _) -> {
              tried.add(policy.id().name());
              stop.raise(StopReason.SIGNAL);
              return new Converter().convert(policy);
            });

    assertThat(tried).containsExactly("labels");
    assertThat(conversions).isEmpty();
  }

  private List<PolicyConversion> preview(String yaml) {
    return SyncConverter.until(stop).of(feed(yaml), policies(yaml));
  }

  private List<PolicyConversion> converted(
      String yaml, BiFunction<LocatedPolicy, Map<PolicyId, Conversion>, Conversion> converter) {
    return new SyncConverter(converter, stop).of(feed(yaml), policies(yaml));
  }

  private static Feed feed(String yaml) {
    return Feed.of(List.of(new Manifest("feed", yaml.getBytes(UTF_8))));
  }

  private static List<Policy> policies(String yaml) {
    return PolicyReader.read(feed(yaml).manifests()).policies();
  }
}
