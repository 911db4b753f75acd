package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Agent;
import dev.policysync.testcluster.KyvernoCliAssets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `convert --verify` by the whole program, with Kyverno's own command line.
class VerifiedConversionIT {
  private static final String POLICY =
      """
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata: {name: require-team}
      spec:
        validationFailureAction: Audit
        rules:
        - name: team
          match: {any: [{resources: {kinds: [Pod]}}]}
          exclude: {any: [{resources: {kinds: [EXCLUDED]}}]}
          validate:
            message: set the label team
            pattern: {metadata: {labels: {team: "?*"}}}
      """;

  @TempDir private Path folder;

  @Test
  void saysHowManyVerdictsWereCompared() throws Exception {
    var run = verified("Job");

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(run.stdout()).contains("kind: ValidatingPolicy");
    assertThat(run.stderr())
        .containsPattern("ClusterPolicy/require-team: [1-9]\\d+ verdicts compared, none differs\n")
        .endsWith("1 of 1 policy of kyverno.io converted\n");
  }

  @Test
  void printsNothingThatKyvernoDoesNotJudge() throws Exception {
    var run = verified("Pod");

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.stdout()).isEmpty();
    assertThat(run.stderr()).contains("no report from Kyverno");
  }

  private Agent.Run verified(String excluded) throws IOException {
    var policies =
        Files.writeString(folder.resolve("policies.yaml"), POLICY.replace("EXCLUDED", excluded));
    var builder =
        new ProcessBuilder(
            Path.of("target", "dist", "bin", "policy-sync").toAbsolutePath().toString(),
            "convert",
            policies.toString(),
            "--verify",
            "--kyverno=" + KyvernoCliAssets.find().kyverno());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return Agent.ended(builder.start());
  }
}
