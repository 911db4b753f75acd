package dev.policysync.policy.kyverno;

import static dev.policysync.testcluster.Documents.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RelatedPoliciesTest {
  private static final PolicyId NAMED = PolicyId.of(PolicyKind.CLUSTER_POLICY, "named");
  private static final PolicyId OTHER = PolicyId.of(PolicyKind.CLUSTER_POLICY, "other");

  private static final PolicyDependency EXCEPTION =
      PolicyDependency.of(
          PolicyKind.KYVERNO_EXCEPTION,
          json(
              "{\"spec\": {\"exceptions\": [{\"policyName\": \"named\", \"ruleNames\": [\"*\"]}]}}"));

  /// A feed may hold thousands, each of them kept as its text.
  @Test
  void looksOnceIntoAPolicyThatExceptionsNameAndIntoNoOther() {
    var looked = new ArrayList<PolicyId>();
    var related =
        new RelatedPolicies(
            Map.of(NAMED, looking(NAMED, looked), OTHER, looking(OTHER, looked)), Set.of());

    assertThat(related.blocking(EXCEPTION)).containsExactly(NAMED);
    assertThat(related.blocking(EXCEPTION)).containsExactly(NAMED);

    assertThat(looked).containsExactly(NAMED);
  }

  private static Supplier<Value.Mapping> looking(PolicyId id, List<PolicyId> looked) {
    return () -> {
      looked.add(id);
      return json(
          "{\"spec\": {\"rules\": [{\"name\": \"r\", \"validate\": {\"failureAction\": \"Enforce\"}}]}}");
    };
  }
}
