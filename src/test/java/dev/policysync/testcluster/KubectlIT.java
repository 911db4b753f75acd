package dev.policysync.testcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@RealCluster
class KubectlIT {
  @TempDir Path folder;

  private Sandbox sandbox;
  private Kubectl kubectl;

  @BeforeEach
  void give(Sandbox sandbox) throws IOException {
    this.sandbox = sandbox;
    this.kubectl = Kubectl.of(sandbox.cluster(), folder);
  }

  @Test
  void isOfTheApiServersVersion() {
    var said = Documents.json(kubectl.run("version", "-o", "json").ok());

    var server = said.mapping("serverVersion").text("gitVersion").orElseThrow();
    assertThat(said.mapping("clientVersion").text("gitVersion")).hasValue(server);
  }

  @Test
  void leavesBehindWhatClientSideApplyLeavesBehind() throws IOException {
    var namespace = sandbox.namespace("shop");
    var manifest =
        Files.writeString(
            folder.resolve("settings.yaml"),
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {a: b}}");

    var run = kubectl.run("apply", "-n", namespace, "-f", manifest.toString());

    assertThat(run).isEqualTo(new Kubectl.Run(0, "configmap/settings created\n", ""));
    var path = "/api/v1/namespaces/" + namespace + "/configmaps/settings";
    var metadata = sandbox.admin().get(path).ok().mapping("metadata");
    assertThat(metadata.mapping("annotations").fields())
        .containsOnlyKeys("kubectl.kubernetes.io/last-applied-configuration");
    assertThat(metadata.items("managedFields"))
        .singleElement()
        .isInstanceOfSatisfying(
            Value.Mapping.class,
            entry -> {
              assertThat(entry.text("manager")).hasValue("kubectl-client-side-apply");
              assertThat(entry.text("operation")).hasValue("Update");
            });
  }

  @Test
  void saysWhyItFailed() {
    var run = kubectl.run("get", "configmap", "absent", "-n", sandbox.namespace("shop"));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.stdout()).isEmpty();
    assertThat(run.stderr()).contains("configmaps \"absent\" not found");
    assertThatThrownBy(run::ok).isInstanceOf(AssertionError.class).hasMessageContaining("absent");
  }
}
