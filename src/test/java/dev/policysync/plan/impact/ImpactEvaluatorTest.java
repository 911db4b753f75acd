package dev.policysync.plan.impact;

import static dev.policysync.plan.impact.ImpactFixtures.impact;
import static dev.policysync.plan.impact.ImpactFixtures.judged;
import static dev.policysync.plan.impact.ImpactFixtures.texts;
import static dev.policysync.policy.PolicyFixtures.json;
import static dev.policysync.policy.kyverno.RelatedPolicyFixtures.related;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.RelatedPolicies;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

class ImpactEvaluatorTest {
  private static final PolicyId POLICY = PolicyId.of(PolicyKind.CLUSTER_POLICY, "p");
  private static final PolicyId IN_SHOP = PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "p");
  private static final PolicyId CEL = PolicyId.of(PolicyKind.VALIDATING_POLICY, "v");
  private static final PolicyId ADMISSION =
      PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY, "vap");
  private static final PolicyId BINDING =
      PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING, "b");
  private static final PolicyId EXCEPTION = PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "e");

  /// Every place of a ClusterPolicy or Policy that can say what is done: `spec`, the rule's
  /// `validate` or `verifyImages`.
  @ParameterizedTest(name = "{0}")
  @MethodSource("places")
  void seesAuditTurnIntoEnforceInEveryPlace(
      String place, String before, String after, String expected) {
    assertThat(judged(POLICY, before, after)).containsExactly(expected);
  }

  static Stream<Arguments> places() {
    return Stream.of(
        arguments(
            "rule",
            rule("'validate': {'failureAction': 'Audit', 'pattern': {}, 'message': 'm'}"),
            rule("'validate': {'failureAction': 'Enforce', 'pattern': {}, 'message': 'n'}"),
            "tightens rule r: Audit → Enforce"),
        arguments(
            "rule before spec",
            "{'spec': {'validationFailureAction': 'Enforce', 'rules': [{'name': 'r', 'validate':"
                + " {'failureAction': 'Audit', 'x': 1}}]}}",
            "{'spec': {'validationFailureAction': 'Audit', 'rules': [{'name': 'r', 'validate':"
                + " {'failureAction': 'Enforce', 'x': 1}}]}}",
            "tightens rule r: Audit → Enforce"),
        arguments(
            "spec",
            "{'spec': {'validationFailureAction': 'audit', 'rules': [{'name': 'r', 'validate':"
                + " {'x':"
                + " 1}}]}}",
            "{'spec': {'validationFailureAction': 'enforce', 'rules': [{'name': 'r', 'validate':"
                + " {'x': 1}}]}}",
            "tightens rule r: Audit → Enforce"),
        arguments(
            "spec overrides",
            overridden("Audit", "{'action': 'Audit', 'namespaces': ['shop']}"),
            overridden("Audit", "{'action': 'Enforce', 'namespaces': ['shop']}"),
            "tightens rule r: Audit → Enforce in shop"),
        arguments(
            "spec overrides, the first counts",
            overridden("Audit", "{'action': 'Enforce', 'namespaces': ['pay']}"),
            overridden(
                "Enforce",
                "{'action': 'Audit', 'namespaces': ['kube-*']}, {'action': 'Enforce', 'namespaces':"
                    + " ['kube-system']}"),
            "tightens rule r: Audit → Enforce except in pay, kube-*, kube-system"),
        arguments(
            "rule overrides",
            rule("'validate': {'failureAction': 'Audit', 'x': 1}"),
            rule(
                "'validate': {'failureAction': 'Audit', 'x': 1, 'failureActionOverrides':"
                    + " [{'action': 'Enforce', 'namespaces': ['shop', 'pay-?']}]}"),
            "tightens rule r: Audit → Enforce in shop, pay-?"),
        arguments(
            "an override by labels",
            rule("'validate': {'failureAction': 'Audit', 'x': 1}"),
            rule(
                "'validate': {'failureAction': 'Audit', 'x': 1, 'failureActionOverrides':"
                    + " [{'action': 'Enforce', 'namespaceSelector': {'matchLabels': {'a':"
                    + " 'b'}}}]}"),
            "tightens rule r: Audit → Enforce (depending on a namespaceSelector)"),
        arguments(
            "verifyImages, any entry",
            rule("'verifyImages': [{'failureAction': 'Audit'}, {}]"),
            rule("'verifyImages': [{'failureAction': 'Audit'}, {'failureAction': 'Enforce'}]"),
            "tightens rule r: Audit → Enforce"),
        arguments(
            "verifyImages by spec",
            "{'spec': {'validationFailureAction': 'Audit', 'rules': [{'name': 'r', 'verifyImages':"
                + " [{'image': 'x'}]}]}}",
            "{'spec': {'validationFailureAction': 'Enforce', 'rules': [{'name': 'r',"
                + " 'verifyImages': [{'image': 'x'}]}]}}",
            "tightens rule r: Audit → Enforce"),
        arguments(
            "admission switched on",
            "{'spec': {'admission': false, 'rules': [{'name': 'r', 'validate': {'failureAction':"
                + " 'Enforce'}}]}}",
            "{'spec': {'rules': [{'name': 'r', 'validate': {'failureAction': 'Enforce'}}]}}",
            "tightens rule r: Audit → Enforce"));
  }

  @Test
  void loosensTheOtherWayRound() {
    assertThat(
            judged(
                POLICY,
                rule("'validate': {'failureAction': 'Enforce'}"),
                rule("'validate': {'failureAction': 'Audit'}")))
        .containsExactly("loosens rule r: Enforce → Audit");
  }

  @Test
  void doesBothWhereNamespacesChangePlaces() {
    var impact =
        impact(
            POLICY,
            overridden("Audit", "{'action': 'Enforce', 'namespaces': ['shop']}"),
            overridden("Audit", "{'action': 'Enforce', 'namespaces': ['pay']}"));

    assertThat(impact.effect()).isEqualTo("tightens and loosens");
    assertThat(texts(impact))
        .containsExactly(
            "tightens rule r: Audit → Enforce in pay", "loosens rule r: Enforce → Audit in shop");
    assertThat(impact.guarded().getFirst().reaches("pay")).isTrue();
    assertThat(impact.guarded().getFirst().reaches("shop")).isFalse();
    assertThat(impact.covered()).isTrue();
  }

  @Test
  void looksAtTheNamespaceOfAPolicyAlone() {
    assertThat(
            judged(
                IN_SHOP,
                overridden("Audit", ""),
                overridden("Audit", "{'action': 'Enforce', 'namespaces': ['pay']}")))
        .isEmpty();
    assertThat(
            judged(
                IN_SHOP,
                overridden("Audit", ""),
                overridden("Audit", "{'action': 'Enforce', 'namespaces': ['sh*']}")))
        .containsExactly("tightens rule r: Audit → Enforce");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'kinds': ['Pod'] | 'kinds': ['Pod', 'Job'] | tightens rule r: match matches more"
            + " resources",
        "'kinds': ['Pod', 'Job'] | 'kinds': ['Pod'] | loosens rule r: match matches fewer"
            + " resources",
        "'kinds': ['Pod'] | 'kinds': ['*'] | tightens rule r: match matches more resources",
        "'kinds': ['Pod'], 'namespaces': ['a'] | 'kinds': ['Pod'] | tightens rule r: match"
            + " matches more resources",
        "'kinds': ['Pod'] | 'kinds': ['Pod'], 'namespaces': ['a'] | loosens rule r: match"
            + " matches fewer resources",
        "'kinds': ['Pod'], 'selector': {} | 'kinds': ['Pod'], 'selector': {'matchLabels': {'a':"
            + " 'b'}} | may tighten rule r: match changed",
      })
  void tellsByStructureWhatAMatchTakesIn(String before, String after, String expected) {
    assertThat(judged(POLICY, matching(before), matching(after))).containsExactly(expected);
  }

  @Test
  void tightensWhereAnExclusionGetsNarrower() {
    var wide = excluding("{'resources': {'namespaces': ['a', 'b']}}");
    var narrow = excluding("{'resources': {'namespaces': ['a']}}");

    assertThat(judged(POLICY, wide, narrow))
        .containsExactly("tightens rule r: exclude matches fewer resources");
    assertThat(judged(POLICY, narrow, wide))
        .containsExactly("loosens rule r: exclude matches more resources");
    assertThat(judged(POLICY, narrow, enforcing(""))).hasSize(1);
    assertThat(impact(POLICY, wide, narrow).covered()).as("nobody was evaluated there").isFalse();
  }

  @Test
  void calledChangedWhatItCannotDecide() {
    assertThat(
            judged(
                POLICY,
                enforcing("", "'pattern': {'a': '1'}"),
                enforcing("", "'pattern': {'a': '2'}")))
        .containsExactly("may tighten rule r: validate changed");
    assertThat(judged(POLICY, enforcing("'preconditions': [1]"), enforcing("'preconditions': [2]")))
        .containsExactly("may tighten rule r: preconditions changed");
  }

  @Test
  void saysNothingOfRulesThatBlockNothing() {
    assertThat(
            judged(
                POLICY,
                rule("'validate': {'pattern': {'a': 1}}"),
                rule("'match': {'any': []}, 'validate': {'pattern': {'a': 2}}")))
        .isEmpty();
    assertThat(judged(POLICY, rule("'mutate': {'a': 1}"), rule("'mutate': {'a': 2}"))).isEmpty();
  }

  @Test
  void takesNoDefaultOfTheServerForAChange() {
    assertThat(
            judged(
                POLICY,
                "{'spec': {'background': true, 'validationFailureAction': 'Audit', 'rules':"
                    + " [{'name':"
                    + " 'r', 'skipBackgroundRequests': true, 'context': [{'name': 'c', 'apiCall':"
                    + " {'urlPath': '/a', 'method': 'GET'}}], 'validate': {'failureAction':"
                    + " 'Enforce', 'allowExistingViolations': true, 'pattern': {'method':"
                    + " 'GET'}}}]}}",
                "{'spec': {'rules': [{'name': 'r', 'context': [{'name': 'c', 'apiCall': {'urlPath':"
                    + " '/a'}}], 'validate': {'failureAction': 'Enforce', 'pattern': {'method':"
                    + " 'GET'}}}]}}"))
        .isEmpty();
    assertThat(
            judged(
                POLICY,
                enforcing("", "'pattern': {'method': 'GET'}"),
                enforcing("", "'pattern': {}")))
        .as("in a pattern it is none")
        .hasSize(1);
  }

  @Test
  void seesRulesAndPoliciesComeAndGo() {
    var one = enforcing("");
    var none = "{'spec': {'rules': []}}";

    assertThat(judged(POLICY, none, one)).containsExactly("tightens rule r: new with Enforce");
    assertThat(judged(POLICY, one, none)).containsExactly("loosens rule r: removed, was Enforce");
    assertThat(judged(POLICY, "{}", one)).containsExactly("tightens new with Enforce in rule r");
    assertThat(judged(POLICY, one, "{}")).containsExactly("loosens removed, was Enforce in rule r");
    assertThat(judged(POLICY, "{}", rule("'validate': {'x': 1}"))).isEmpty();
  }

  @Test
  void knowsOfNoReportThatTellsWhatFailurePolicyBlocks() {
    var impact =
        impact(
            POLICY,
            "{'spec': {'failurePolicy': 'Ignore', 'rules': [{'name': 'r', 'validate':"
                + " {'failureAction': 'Enforce'}}]}}",
            "{'spec': {'webhookConfiguration': {'failurePolicy': 'Fail'}, 'rules': [{'name': 'r',"
                + " 'validate': {'failureAction': 'Enforce'}}]}}");

    assertThat(impact.effect()).isEqualTo("tightens");
    assertThat(impact.guarded()).hasSize(1);
    assertThat(impact.covered()).isFalse();
  }

  @Test
  void seesWhoMayNoLongerBeUpdated() {
    assertThat(
            judged(
                POLICY,
                enforcing("", "'x': 1, 'allowExistingViolations': true"),
                enforcing("", "'x': 1, 'allowExistingViolations': false")))
        .containsExactly("tightens rule r: allowExistingViolations true → false");
  }

  @Test
  void seesAutogenSwitchedOnAndOff() {
    var off = enforcingWith("'pod-policies.kyverno.io/autogen-controllers': 'none'");
    var on = enforcingWith("");

    assertThat(judged(POLICY, off, on))
        .containsExactly("tightens autogen for Pod controllers matches more resources");
    assertThat(judged(POLICY, on, off))
        .containsExactly("loosens autogen for Pod controllers matches fewer resources");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'validationActions': ['Audit'] | 'validationActions': ['Deny'] | tightens Audit → Enforce",
        "'validationActions': ['Audit'] | 'x': 1 | tightens Audit → Enforce",
        "'validationActions': ['Warn'] | 'validationActions': ['Audit', 'Deny'] | tightens Audit"
            + " → Enforce",
        "'validationActions': ['Deny'] | 'validationActions': ['Audit'] | loosens Enforce → Audit",
        "'evaluation': {'admission': {'enabled': false}} | 'evaluation': {} | tightens Audit →"
            + " Enforce",
        "'matchConditions': [{'name': 'a'}] | 'matchConditions': [] | tightens matchConditions"
            + " matches more resources",
        "'matchConditions': [] | 'matchConditions': [{'name': 'a'}] | loosens matchConditions"
            + " matches fewer resources",
        "'validations': [{'expression': 'a'}] | 'validations': [{'expression': 'a'},"
            + " {'expression': 'b'}] | tightens has additional validations",
        "'validations': [{'expression': 'a'}] | 'validations': [{'expression': 'b'}] | may"
            + " tighten validations changed",
        "'variables': [1] | 'variables': [2] | may tighten evaluation logic changed",
        "'failurePolicy': 'Ignore' | 'x': 1 | x",
      })
  void judgesPoliciesInCel(String before, String after, String expected) {
    var was = json("{'spec': {" + before + "}}");
    var is = json("{'spec': {" + after.replace("'x': 1", "'validations': []") + "}}");

    var texts = texts(ImpactEvaluator.of(CEL, was, is, RelatedPolicies.NONE));

    if (expected.equals("x")) {
      assertThat(texts.toString()).contains("failurePolicy Ignore → Fail");
    } else {
      assertThat(texts).containsExactly(expected);
    }
  }

  @Test
  void judgesAnAdmissionPolicyByItsBindings() {
    var was = json("{'spec': {'validations': [{'expression': 'a'}]}}");
    var is = json("{'spec': {'validations': [{'expression': 'a'}, {'expression': 'b'}]}}");

    assertThat(texts(ImpactEvaluator.of(ADMISSION, was, is, bound("Deny"))))
        .containsExactly("tightens has additional validations");
    assertThat(texts(ImpactEvaluator.of(ADMISSION, was, is, bound("Audit")))).isEmpty();
    assertThat(texts(ImpactEvaluator.of(ADMISSION, was, is, RelatedPolicies.NONE)))
        .as("somebody else's binding may deny")
        .containsExactly("tightens has additional validations");
  }

  @Test
  void asksAboutThePolicyThatABindingBinds() {
    var impact =
        impact(
            BINDING,
            "{'spec': {'policyName': 'vap', 'validationActions': ['Audit']}}",
            "{'spec': {'policyName': 'vap', 'validationActions': ['Deny']}}");

    assertThat(impact.reported()).isEqualTo(ADMISSION);
    assertThat(texts(impact)).containsExactly("tightens Audit → Enforce");
    assertThat(judged(BINDING, "{}", "{'spec': {'validationActions': ['Deny']}}"))
        .containsExactly("tightens new with Deny");
  }

  @Test
  void tightensWhereAnExceptionGoesOrShieldsFromLess() {
    var wide = exception("{'policyName': 'p', 'ruleNames': ['r', 's']}");
    var narrow = exception("{'policyName': 'p', 'ruleNames': ['r']}");
    var blocking = related(Map.of(POLICY, kind(json(enforcing("")))), Set.of());

    assertThat(texts(ImpactEvaluator.of(EXCEPTION, wide, narrow, blocking)))
        .containsExactly("tightens exceptions matches fewer resources");
    assertThat(texts(ImpactEvaluator.of(EXCEPTION, narrow, wide, blocking)))
        .containsExactly("loosens exceptions matches more resources");
    assertThat(texts(ImpactEvaluator.of(EXCEPTION, wide, Value.Mapping.EMPTY, blocking)))
        .containsExactly("tightens removed, exempted resources from ClusterPolicy/p");
    assertThat(
            texts(ImpactEvaluator.of(EXCEPTION, wide, Value.Mapping.EMPTY, RelatedPolicies.NONE)))
        .as("from nothing that is there")
        .isEmpty();
    var live = related(Map.of(), Set.of(POLICY));
    assertThat(texts(ImpactEvaluator.of(EXCEPTION, wide, Value.Mapping.EMPTY, live))).hasSize(1);
  }

  /// A policy may be gone by the time at which its removal is judged.
  @ParameterizedTest
  @EnumSource
  void findsNothingInARemovalOfWhatIsGone(PolicyKind kind) {
    var id = kind.namespaced() ? PolicyId.of(kind, "shop", "p") : PolicyId.of(kind, "p");

    assertThat(
            ImpactEvaluator.of(id, Value.Mapping.EMPTY, Value.Mapping.EMPTY, RelatedPolicies.NONE))
        .isEqualTo(Impact.of(id, List.of()));
  }

  /// What mutates or generates refuses what it cannot evaluate, of which no report tells.
  @ParameterizedTest
  @EnumSource(
      mode = Mode.MATCH_ANY,
      names = {".*MUTATING.*POLICY", ".*GENERATING.*"})
  void seesThatAPolicyWhichBlocksNothingBeginsToRefuseWhatItCannotEvaluate(PolicyKind kind) {
    var id = kind.namespaced() ? PolicyId.of(kind, "shop", "p") : PolicyId.of(kind, "p");
    var ignores = "{'spec': {'failurePolicy': 'Ignore'}}";
    var fails = "{'spec': {'failurePolicy': 'Fail'}}";

    assertThat(judged(id, ignores, fails))
        .containsExactly(
            "tightens failurePolicy Ignore → Fail: requests that cannot be evaluated are rejected");
    assertThat(impact(id, ignores, fails).guarded()).hasSize(1);
    assertThat(judged(id, fails, ignores))
        .containsExactly(
            "loosens failurePolicy Fail → Ignore: requests that cannot be evaluated are allowed");
    assertThat(judged(id, "{}", fails)).isEmpty();
    assertThat(ImpactEvaluator.judgesAll(kind)).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.MATCH_NONE,
      names = {".*CLEANUP.*", ".*DELETING.*", "GLOBAL.*"})
  void judgesEveryKindThatMayRefuseARequestOrKeepsOthersFromIt(PolicyKind kind) {
    assertThat(ImpactEvaluator.judges(kind)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.MATCH_ANY,
      names = {".*CLEANUP.*", ".*DELETING.*", "GLOBAL.*"})
  void judgesNoKindThatRefusesNoRequest(PolicyKind kind) {
    var id = kind.namespaced() ? PolicyId.of(kind, "shop", "p") : PolicyId.of(kind, "p");

    assertThat(ImpactEvaluator.judges(kind)).isFalse();
    assertThat(impact(id, enforcing(""), "{'spec': {'rules': []}}"))
        .isEqualTo(Impact.of(id, List.of()));
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "VALIDATING_POLICY",
        "IMAGE_VALIDATING_POLICY",
        "NAMESPACED_VALIDATING_POLICY",
        "NAMESPACED_IMAGE_VALIDATING_POLICY"
      })
  void judgesAllPoliciesInCelAlike(PolicyKind kind) {
    var id = kind.namespaced() ? PolicyId.of(kind, "shop", "p") : PolicyId.of(kind, "p");

    assertThat(
            judged(
                id,
                "{'spec': {'validationActions': ['Audit']}}",
                "{'spec': {'validationActions': ['Deny']}}"))
        .containsExactly("tightens Audit → Enforce");
  }

  @Test
  void takesAChangeOfWhatCouldNotBeReadForOneThatMayTighten() {
    var impact = ImpactEvaluator.unreadable(POLICY, "RBAC forbids it");

    assertThat(texts(impact))
        .containsExactly("may tighten the previous version could not be read: RBAC forbids it");
    assertThat(impact.guarded()).hasSize(1);
    assertThat(impact.covered()).isFalse();
  }

  private static RelatedPolicies bound(String action) {
    var binding =
        json(
            "{'kind': 'ValidatingAdmissionPolicyBinding', 'spec': {'policyName': 'vap',"
                + " 'validationActions': ['"
                + action
                + "']}}");
    return related(Map.of(BINDING, binding), Set.of());
  }

  private static Value.Mapping kind(Value.Mapping policy) {
    return policy.with("kind", "ClusterPolicy");
  }

  private static Value.Mapping exception(String reference) {
    return json("{'spec': {'exceptions': [" + reference + "], 'match': {'any': []}}}");
  }

  private static String rule(String fields) {
    return "{'spec': {'rules': [{'name': 'r', " + fields + "}]}}";
  }

  private static String enforcing(String fields) {
    return enforcing(fields, "'x': 1");
  }

  private static String enforcing(String fields, String validate) {
    return rule(
        fields
            + (fields.isEmpty() ? "" : ", ")
            + "'validate': {'failureAction': 'Enforce', "
            + validate
            + "}");
  }

  private static String enforcingWith(String annotations) {
    return enforcing("")
        .replaceFirst("\\{", "{'metadata': {'annotations': {" + annotations + "}}, ");
  }

  private static String matching(String resources) {
    return enforcing("'match': {'any': [{'resources': {" + resources + "}}]}");
  }

  private static String excluding(String block) {
    return enforcing("'exclude': {'any': [" + block + "]}");
  }

  private static String overridden(String action, String overrides) {
    return "{'spec': {'validationFailureAction': '"
        + action
        + "', 'validationFailureActionOverrides': ["
        + overrides
        + "], 'rules': [{'name': 'r', 'validate': {'x': 1}}]}}";
  }
}
