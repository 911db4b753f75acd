package dev.policysync.policy.kyverno;

import static dev.policysync.policy.PolicyFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which policies an exception and a context entry serve, by what is written in them or in the
/// policies.
class PolicyDependencyTest {
  private static final Value.Mapping NOTHING = Value.Mapping.EMPTY;

  @ParameterizedTest
  @CsvSource({
    "team, ClusterPolicy.kyverno.io/team, true",
    "team, ClusterPolicy.kyverno.io/team-label, false",
    "team, Policy.kyverno.io/shop/team, false",
    "team, ValidatingPolicy.policies.kyverno.io/team, false",
    "shop/team, Policy.kyverno.io/shop/team, true",
    "shop/team, Policy.kyverno.io/pay/team, false",
    "shop/team, ClusterPolicy.kyverno.io/team, false",
    "te*, ClusterPolicy.kyverno.io/team, true",
    "te?m, ClusterPolicy.kyverno.io/team, true",
    "te.m, ClusterPolicy.kyverno.io/team, false",
    "'*/team', Policy.kyverno.io/shop/team, true",
  })
  void anExceptionOfKyvernoNamesPoliciesByTheirPath(String name, String policy, boolean serves) {
    var policyDependency =
        PolicyDependency.of(
            PolicyKind.KYVERNO_EXCEPTION,
            json(
                "{'spec': {'exceptions': [{'policyName': '%s', 'ruleNames': ['*']}]}}"
                    .formatted(name)));

    assertThat(policyDependency.serves(PolicyId.ofKey(policy).orElseThrow(), NOTHING))
        .isEqualTo(serves);
  }

  @ParameterizedTest
  @CsvSource({
    "ValidatingPolicy, ValidatingPolicy.policies.kyverno.io/team, true",
    "MutatingPolicy, ValidatingPolicy.policies.kyverno.io/team, false",
    "ValidatingPolicy, ClusterPolicy.kyverno.io/team, false",
    "NamespacedValidatingPolicy, NamespacedValidatingPolicy.policies.kyverno.io/pay/team, true",
    "DeletingPolicy, DeletingPolicy.policies.kyverno.io/team, true",
  })
  void anExceptionOfPoliciesNamesThemByKindAndName(String kind, String policy, boolean serves) {
    var policyDependency = reference("{'kind': '%s', 'name': 'team'}".formatted(kind));

    assertThat(policyDependency.serves(PolicyId.ofKey(policy).orElseThrow(), NOTHING))
        .isEqualTo(serves);
    assertThat(policyDependency.doubt()).isEmpty();
  }

  @Test
  void itCannotBeToldWhomAReferenceToAnUnknownKindServes() {
    assertThat(reference("{'kind': 'ReplacingPolicy', 'name': 'team'}").doubt()).isPresent();
  }

  @Test
  void anEmptyNameIsNobodys() {
    var policyDependency =
        PolicyDependency.of(
            PolicyKind.KYVERNO_EXCEPTION, json("{'spec': {'exceptions': [{'policyName': ''}]}}"));

    assertThat(policyDependency).isEqualTo(new PolicyDependency.Naming(List.of(), List.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'context': [{'name': 'c', 'globalReference': {'name': 'cluster-nodes'}}]}",
        "{'context': [{'name': 'c', 'globalReference': {'name': '{{ request.name }}'}}]}",
        "{'variables': [{'expression': 'globalContext.Get(\"cluster-nodes\", \"\")'}]}",
        "{'variables': [{'expression': 'globalcontext . get( \"cluster-nodes\" ).size() > 0'}]}",
        "{'variables': [{'expression': 'globalContext.Get(\"cluster-\" + object.kind, \"\")'}]}",
        "{'variables': [{'expression': '[globalContext].exists(c, true)'}]}",
      })
  void aPolicyReadsAContextEntryThatItNamesOrMayName(String spec) {
    assertThat(nodes().serves(PolicyId.of(PolicyKind.CLUSTER_POLICY, "a"), json(spec))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'context': [{'name': 'cluster-nodes', 'globalReference': {'name': 'other'}}]}",
        "{'variables': [{'expression': 'globalContext.Get(\"other\", \"\")'}]}",
        "{'rules': [{'name': 'cluster-nodes'}], 'background': true, 'weight': 1, 'none': null}",
      })
  void aPolicyDoesNotReadAContextEntryThatItDoesNotName(String spec) {
    assertThat(nodes().serves(PolicyId.of(PolicyKind.CLUSTER_POLICY, "a"), json(spec))).isFalse();
  }

  @Test
  void whatCouldNotBeReadToTheEndServesWhateverItsKindCanServe() {
    var rules = PolicyDependency.unclear(PolicyKind.KYVERNO_EXCEPTION);
    var cel = PolicyDependency.unclear(PolicyKind.CEL_EXCEPTION);
    var entry = PolicyDependency.unclear(PolicyKind.GLOBAL_CONTEXT_ENTRY);
    var legacy = PolicyId.of(PolicyKind.CLUSTER_POLICY, "a");
    var modern = PolicyId.of(PolicyKind.VALIDATING_POLICY, "a");
    var reads = json("{'globalReference': {'name': 'other'}}");

    assertThat(rules.serves(legacy, NOTHING)).isTrue();
    assertThat(rules.serves(modern, NOTHING)).isFalse();
    assertThat(cel.serves(modern, NOTHING)).isTrue();
    assertThat(cel.serves(legacy, NOTHING)).isFalse();
    assertThat(entry.serves(legacy, reads)).isTrue();
    assertThat(entry.serves(legacy, NOTHING)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void onlyExceptionsAndContextEntriesAreShields(PolicyKind kind) {
    assertThat(PolicyDependency.isShield(kind))
        .isEqualTo(
            kind.kind().equals("PolicyException") || kind == PolicyKind.GLOBAL_CONTEXT_ENTRY);
  }

  private static PolicyDependency nodes() {
    return PolicyDependency.of(
        PolicyKind.GLOBAL_CONTEXT_ENTRY, json("{'metadata': {'name': 'cluster-nodes'}}"));
  }

  private static PolicyDependency reference(String reference) {
    return PolicyDependency.of(
        PolicyKind.CEL_EXCEPTION, json("{'spec': {'policyRefs': [%s]}}".formatted(reference)));
  }
}
