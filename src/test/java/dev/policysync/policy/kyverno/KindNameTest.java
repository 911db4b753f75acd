package dev.policysync.policy.kyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.PolicyKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Kinds as ClusterPolicies name them.
class KindNameTest {
  @ParameterizedTest
  @CsvSource({
    "Pod, Pod, true",
    "v1/Pod, Pod, false",
    "apps/v1/Deployment, Deployment, false",
    "Pod/exec, Pod, false",
    "Pod.status, Pod, false",
    "*, *, true",
    "*/Node, Node, false",
  })
  void areReadWithoutGroupVersionAndSubresource(String text, String kind, boolean plain) {
    assertThat(KindName.of(text).kind()).isEqualTo(kind);
    assertThat(KindName.of(text).plain()).isEqualTo(plain);
  }

  @ParameterizedTest
  @CsvSource({
    "Role, true",
    "v1/Pod, true",
    "*/*/Role, true",
    "rbac.authorization.k8s.io/v1/Role, true",
    "batch/v1/Job, true",
    "kyverno.io/v1/Policy, true",
    "config.kio.kasten.io/v1alpha1/Policy, false",
    "iam.aws.crossplane.io/*/Role, false",
  })
  void areKubernetesOwnOnlyInItsGroups(String text, boolean builtIn) {
    assertThat(KindName.of(text).mayBeBuiltIn()).isEqualTo(builtIn);
  }

  @ParameterizedTest
  @CsvSource({
    "v1, Namespace, true",
    "rbac.authorization.k8s.io/v1, ClusterRole, true",
    "management.cattle.io/v3, Node, false",
    "'', Namespace, true"
  })
  void haveTheGroupOfAnApiVersion(String apiVersion, String kind, boolean clusterScoped) {
    assertThat(KindName.of(apiVersion, kind).isClusterScoped()).isEqualTo(clusterScoped);
  }

  @ParameterizedTest
  @CsvSource({"Namespace, true", "ClusterRole, true", "Pod, false", "Widget, false"})
  void areClusterScopedWhereTheyLiveInNoNamespace(String text, boolean clusterScoped) {
    assertThat(KindName.of(text).isClusterScoped()).isEqualTo(clusterScoped);
  }

  @ParameterizedTest
  @EnumSource
  void areThoseOfPoliciesToo(PolicyKind kind) {
    assertThat(KindName.of(kind.kind()).isClusterScoped()).isEqualTo(!kind.namespaced());
  }
}
