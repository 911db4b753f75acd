package dev.policysync.kyverno;

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
    assertThat(KindName.of(text)).isEqualTo(new KindName(kind, plain));
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
