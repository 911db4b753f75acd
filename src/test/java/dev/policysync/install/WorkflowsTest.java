package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the workflows promise of a release, as far as it stands in them: actionlint reads their
/// syntax (`make check`), and only a forge can run them.
class WorkflowsTest {
  private static final Path FOLDER = Path.of(".github", "workflows");
  private static final Pattern ACTION = Pattern.compile("uses: (?!\\./)(.*)");

  @ParameterizedTest
  @MethodSource("workflows")
  void nameActionsOfOthersByCommit(Path workflow) throws IOException {
    assertThat(ACTION.matcher(Files.readString(workflow)).results().map(found -> found.group(1)))
        .allSatisfy(
            action -> assertThat(action).matches("[\\w-]+(/[\\w-]+)+@[0-9a-f]{40} # v[0-9.]+"));
  }

  @ParameterizedTest
  @MethodSource("workflows")
  void putNoSecretIntoAScript(Path workflow) throws IOException {
    assertThat(scripts(read(workflow)))
        .allSatisfy(script -> assertThat(script).doesNotContain("secrets.", "${{ github."));
  }

  @Test
  void nothingIsReleasedWithoutTheTestsOfThatCommit() throws IOException {
    var jobs = read(FOLDER.resolve("release.yaml")).mapping("jobs");

    assertThat(jobs.mapping("ci").text("uses")).contains("./.github/workflows/ci.yaml");
    assertThat(jobs.mapping("image").items("needs")).contains(new Value.Text("ci"));
    assertThat(jobs.mapping("release").items("needs")).contains(new Value.Text("image"));
  }

  @Test
  void theImageIsMadeOfABaseNamedByDigest() throws IOException {
    assertThat(Files.readAllLines(Path.of("Dockerfile")))
        .filteredOn(line -> line.matches("ARG JDK=.*|FROM .*"))
        .hasSize(3)
        .allSatisfy(line ->
            assertThat(line)
                .matches(
                    "ARG JDK=\\S+:25[.\\w]*-jdk@sha256:[0-9a-f]{64}|FROM \\$\\{JDK} AS build|FROM scratch"));
  }

  @Test
  void aReleaseIsVerifiedByTheCommandsThatPeopleAreGiven() throws IOException {
    assertThat(scripts(read(FOLDER.resolve("release.yaml"))))
        .anySatisfy(script -> assertThat(script).contains("SECURITY.md > verify.sh"));
    assertThat(Files.readString(Path.of("SECURITY.md")).split("(?m)^```.*$", -1)[1])
        .contains("cosign verify ghcr.io/policy-sync/policy-sync:", "gh attestation verify oci://");
  }

  @Test
  void nothingHasItsFinalNameBeforeItIsVerified() throws IOException {
    var scripts = scripts(read(FOLDER.resolve("release.yaml")));
    var verified = first(scripts, "candidates.sh");

    assertThat(first(scripts, "--tag \"$IMAGE:$VERSION\"")).isGreaterThan(verified);
    assertThat(first(scripts, "\"$CHARTS/kyverno-policy-sync:$VERSION\"")).isGreaterThan(verified);
    assertThat(first(scripts, "gh release create")).isGreaterThan(verified);
    assertThat(scripts)
        .noneMatch(script -> script.contains("helm push") && script.contains("$CHARTS"));
  }

  private static int first(List<String> scripts, String part) {
    for (int i = 0; i < scripts.size(); i++) {
      if (scripts.get(i).contains(part)) {
        return i;
      }
    }
    throw new AssertionError("no step has " + part);
  }

  @ParameterizedTest
  @MethodSource("workflows")
  void keepNoCredentialsInACheckout(Path workflow) throws IOException {
    var jobs = read(workflow).mapping("jobs").fields().values();

    assertThat(jobs.stream().flatMap(job -> ((Value.Mapping) job).mappings("steps").stream()))
        .filteredOn(step -> step.text("uses").orElse("").startsWith("actions/checkout@"))
        .allSatisfy(step ->
            assertThat(step.mapping("with").field("persist-credentials"))
                .contains(new Value.Bool(false)));
  }

  static List<Path> workflows() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.sorted().toList();
    }
  }

  private static Value.Mapping read(Path workflow) throws IOException {
    return Documents.yaml(Files.readString(workflow));
  }

  private static List<String> scripts(Value.Mapping workflow) {
    return workflow.mapping("jobs").fields().values().stream()
        .flatMap(job -> ((Value.Mapping) job).items("steps").stream())
        .flatMap(step -> ((Value.Mapping) step).text("run").stream())
        .toList();
  }
}
