package dev.policysync.lint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.Manifest;
import dev.policysync.policy.Position;
import dev.policysync.policy.feed.PolicyReader;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Where things stand.
class NodeTest {
  private static final String POLICY =
      """
      # A comment.
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata: {name: team-label}
      spec:
        base: &base
          kinds: [Pod, "*"]
        rules:
          - name: first
            match:
              <<: *base
              nothing: ~
      """;

  private final Node root =
      LintedPolicy.of(
              PolicyReader.readLocated(List.of(new Manifest("a.yaml", POLICY.getBytes(UTF_8))))
                  .policies()
                  .getFirst())
          .root();

  @Test
  void aFieldIsWhereItsNameIs() {
    assertThat(root.at("spec", "rules").orElseThrow().position()).isEqualTo(at(8, 3));
    assertThat(root.at("metadata", "name").orElseThrow().position()).isEqualTo(at(4, 12));
  }

  @Test
  void anItemIsWhereItBegins() {
    assertThat(root.items("spec", "rules").getFirst().position()).isEqualTo(at(9, 7));
    assertThat(root.items("spec", "base", "kinds").getLast().position()).isEqualTo(at(7, 18));
  }

  @Test
  void whatAMergeBroughtIsWhereItWasWritten() {
    var kinds = root.items("spec", "rules").getFirst().at("match", "kinds").orElseThrow();

    assertThat(kinds.position()).isEqualTo(at(7, 12));
    assertThat(kinds.path()).isEqualTo("spec.rules[0].match.kinds");
  }

  @Test
  void aPathLeadsThroughListsToo() {
    assertThat(root.at(List.of("spec", "rules", "[0]", "match", "kinds", "[1]")))
        .hasValueSatisfying(node -> assertThat(node.isText("*")).isTrue());
    assertThat(root.at(List.of("spec", "rules", "[1]"))).isEmpty();
    assertThat(root.at(List.of("spec", "[0]"))).isEmpty();
  }

  @Test
  void whatIsNullIsNotThere() {
    assertThat(root.items("spec", "rules").getFirst().has("match", "nothing")).isFalse();
  }

  @Test
  void withoutPlacesEverythingIsWhereThePolicyBegins() {
    var policy =
        PolicyReader.read(List.of(new Manifest("a.yaml", POLICY.getBytes(UTF_8))))
            .policies()
            .getFirst();

    assertThat(LintedPolicy.of(policy).root().at("spec", "rules").orElseThrow().position())
        .isEqualTo(at(2, 1));
  }

  private static Position at(int line, int column) {
    return new Position("a.yaml", 1, line, column);
  }
}
