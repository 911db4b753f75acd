package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the pages of lint call wrong is refused by Kyverno 1.19, and what they call right is taken:
/// each example is tried in a dry run.
class LintExamplesIT extends WithKyverno {
  private static final Path EXAMPLES = Path.of("src/test/resources/lint");
  private static final Path MISTAKES = Path.of("src/test/resources/mistakes");
  private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
  private static final String BINDING = "lint-examples";

  /// Errors although Kyverno 1.19 takes the policy, and why.
  private static final Set<String> TAKEN =
      Set.of(
          // A sync rejects what is no YAML, is there twice, or has an unknown kind.
          "PS000/flagged-among-others.yaml",
          "PS000/flagged-two-of-one-name.yaml",
          "PS000/flagged-unknown-kind.yaml",
          // It deletes everything that it matches.
          "PS016/flagged-cel.yaml",
          "PS016/flagged-no-conditions.yaml",
          // Kyverno compiles CEL of a ClusterPolicy at the first request, and then it fails.
          "PS020/flagged-in-a-cluster-policy.yaml",
          "PS038/flagged-in-a-cluster-policy.yaml",
          // They break Kyverno's webhook configuration afterwards (`BreakingPoliciesIT`).
          "PS057/flagged-condition-name.yaml",
          "PS057/flagged-everything-and-more.yaml",
          "PS057/flagged-lower-case.yaml",
          "PS057/flagged-selector.yaml",
          "PS057/flagged-timeout.yaml");

  /// Kyverno asks whether its ServiceAccounts may do what a policy has them do.
  @BeforeEach
  void allowKyvernoEverything() {
    cluster
        .admin()
        .post(
            BINDINGS,
            Documents.yaml(
                """
                metadata: {name: %s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
                subjects:
                - {kind: ServiceAccount, namespace: kyverno, name: kyverno-admission-controller}
                - {kind: ServiceAccount, namespace: kyverno, name: kyverno-background-controller}
                - {kind: ServiceAccount, namespace: kyverno, name: kyverno-cleanup-controller}
                - {kind: ServiceAccount, namespace: kyverno, name: kyverno-reports-controller}
                """
                    .formatted(BINDING)))
        .ok();
    Stream.of("shop", "platform", "bank", "sandbox").forEach(this::createNamespace);
  }

  @AfterEach
  void takeThatBack() {
    cluster.admin().delete(BINDINGS + "/" + BINDING);
  }

  @Test
  void everydayMistakesAreRefused() throws IOException {
    assertThat(files(MISTAKES))
        .hasSizeGreaterThanOrEqualTo(22)
        .allSatisfy(file -> assertThat(refusals(file)).as(file.toString()).isNotEmpty());
  }

  @Test
  void whatIsAnErrorIsRefused() throws IOException {
    var errors = new ArrayList<Path>();
    for (var file : examples("flagged-")) {
      var expected = file.resolveSibling(name(file).replace(".yaml", ".txt"));
      if (Files.readString(expected).contains("error[") && !TAKEN.contains(shown(file))) {
        errors.add(file);
      }
    }

    assertThat(errors)
        .hasSizeGreaterThan(60)
        .allSatisfy(file -> assertThat(refusals(file)).as(shown(file)).isNotEmpty());
  }

  @Test
  void whatIsFineIsTaken() throws IOException {
    assertThat(examples("clean-"))
        .hasSizeGreaterThan(100)
        .allSatisfy(file -> assertThat(refusals(file)).as(shown(file)).isEmpty());
  }

  /// What is clean of PS000 is no policy. Examples of other releases, and of clusters with further
  /// CRDs, say so in their first line.
  private static List<Path> examples(String sort) throws IOException {
    return files(EXAMPLES).stream()
        .filter(file -> name(file).startsWith(sort))
        .filter(file -> !(sort.equals("clean-") && shown(file).startsWith("PS000/")))
        .filter(file -> {
          var text = read(file);
          return !text.startsWith("# kyverno: ") && !text.startsWith("# needs: ");
        })
        .toList();
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> name(file).endsWith(".yaml")).sorted().toList();
    }
  }

  /// What the API server says of the documents that it does not take.
  private List<String> refusals(Path file) {
    return Stream.of(read(file).split("(?m)^---\\s*$", -1))
        .filter(text -> text.contains("kind: "))
        .flatMap(text -> refusal(text).stream())
        .toList();
  }

  private Optional<String> refusal(String text) {
    var document = Documents.yaml(text);
    var kind = PolicyKind.of(document);
    if (kind.isEmpty()) {
      return Optional.empty();
    }
    var metadata = document.mapping("metadata");
    var id =
        new PolicyId(
            kind.get(),
            kind.get().namespaced()
                ? metadata.text("namespace").or(() -> Optional.of("default"))
                : Optional.empty(),
            metadata.text("name").orElse("nameless"));
    var apiVersion = document.text("apiVersion").orElseThrow();
    var version = apiVersion.substring(apiVersion.indexOf('/') + 1);
    var reply =
        cluster
            .admin()
            .apply(RawApi.path(id, version) + "?fieldManager=test&dryRun=All&force=true", text);
    return reply.status() < 300
        ? Optional.empty()
        : Optional.of(reply.status() + " " + reply.body().text("message").orElse(""));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private static String shown(Path file) {
    return EXAMPLES.relativize(file).toString().replace('\\', '/');
  }
}
