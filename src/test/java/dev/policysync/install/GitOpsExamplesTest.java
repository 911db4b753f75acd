package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The examples for Argo CD and Flux, neither of which is here to judge them.
class GitOpsExamplesTest {
  private static final Path EXAMPLES = Path.of("examples");
  private static final Path RELEASE_WORKFLOW = Path.of(".github", "workflows", "release.yaml");

  @Test
  void giveTheChartValuesThatItKnows(@TempDir Path folder) throws IOException {
    var argo = Manifests.read(EXAMPLES.resolve("argo-cd.yaml")).only("Application");
    var flux = Manifests.read(EXAMPLES.resolve("flux.yaml")).only("HelmRelease");

    for (var values :
        List.of(
            argo.mapping("spec").mapping("source").mapping("helm").mapping("valuesObject"),
            flux.mapping("spec").mapping("values"))) {
      var file = Files.writeString(folder.resolve("values.json"), CanonicalJson.write(values));
      var rendered =
          Chart.template(Chart.FOLDER, "insights-agent", command -> command.withValuesFile(file));
      assertThat(rendered).contains("FAIRWINDS_ORG=acme", "DRY_RUN=true");
    }
  }

  /// With what the generator, or the cluster's Kustomization, puts in for one cluster.
  @Test
  void giveEachClusterOfAFleetItsName(@TempDir Path folder) throws IOException {
    var argo =
        Manifests.of(
                Files.readString(EXAMPLES.resolve("argo-cd-fleet.yaml"))
                    .replace("{{ .name }}", "prod-2"))
            .only("ApplicationSet");
    var flux =
        Manifests.of(
                Files.readString(EXAMPLES.resolve("flux-fleet.yaml"))
                    .replace("${cluster}", "prod-2"))
            .only("HelmRelease");

    for (var values :
        List.of(
            argo.mapping("spec")
                .mapping("template")
                .mapping("spec")
                .mapping("source")
                .mapping("helm")
                .mapping("valuesObject"),
            flux.mapping("spec").mapping("values"))) {
      var file = Files.writeString(folder.resolve("values.json"), CanonicalJson.write(values));
      assertThat(
              Chart.template(
                  Chart.FOLDER, "insights-agent", command -> command.withValuesFile(file)))
          .contains("FAIRWINDS_ORG=acme", "FAIRWINDS_CLUSTER=prod-2");
    }
  }

  @Test
  void theExternalSecretIsTheOneThatTheChartMounts() {
    var spec =
        Manifests.read(EXAMPLES.resolve("external-secret.yaml"))
            .only("ExternalSecret")
            .mapping("spec");
    var rendered = Chart.rendered("minimal", "insights-agent");

    assertThat(rendered)
        .contains("secretName: " + spec.mapping("target").text("name").orElseThrow())
        .contains(
            "key: \""
                + ((Value.Mapping) spec.items("data").getFirst()).text("secretKey").orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(strings = {"flux.yaml", "flux-fleet.yaml"})
  void fluxTakesTheChartOnlyFromTheReleaseWorkflowOnATag(String example) {
    var verify =
        Manifests.read(EXAMPLES.resolve(example))
            .only("OCIRepository")
            .mapping("spec")
            .mapping("verify");
    var signer = (Value.Mapping) verify.items("matchOIDCIdentity").getFirst();
    var workflow = "https://github.com/policy-sync/policy-sync/" + RELEASE_WORKFLOW;

    assertThat(RELEASE_WORKFLOW).exists();
    assertThat("https://token.actions.githubusercontent.com")
        .matches(signer.text("issuer").orElseThrow());
    assertThat(List.of(workflow + "@refs/tags/v0.1.0"))
        .allMatch(subject -> subject.matches(signer.text("subject").orElseThrow()));
    assertThat(
            List.of(
                workflow + "@refs/heads/main",
                workflow.replace("release", "ci") + "@refs/tags/v0.1.0",
                workflow.replace("policy-sync/policy-sync", "somebody/policy-sync")
                    + "@refs/tags/v0.1.0"))
        .noneMatch(subject -> subject.matches(signer.text("subject").orElseThrow()));
  }
}
