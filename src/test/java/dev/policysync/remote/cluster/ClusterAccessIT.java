package dev.policysync.remote.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.remote.cluster.ClusterConnection.Origin;
import dev.policysync.remote.cluster.policy.ClusterPolicies;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.testcluster.KubeconfigFile;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.ServiceAccountFolder;
import dev.policysync.testcluster.TestCluster;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@RealCluster
class ClusterAccessIT {
  @TempDir private Path folder;
  private Sandbox sandbox;
  private TestCluster cluster;

  @BeforeEach
  void enter(Sandbox sandbox) {
    this.sandbox = sandbox;
    this.cluster = sandbox.cluster();
    System.setProperty(ClusterAccess.MOUNT_PROPERTY, folder.resolve("no-pod").toString());
  }

  @AfterEach
  void leavePod() {
    System.clearProperty(ClusterAccess.MOUNT_PROPERTY);
  }

  @Test
  void isThePodsServiceAccountInAPod() throws IOException {
    var namespace = sandbox.namespace("agent");
    var account = pod(namespace, cluster.serviceAccountToken(namespace, "syncer"));

    try (var connection = access(account.environment()).connect()) {

      assertThat(RawApi.over(connection).user())
          .isEqualTo("system:serviceaccount:" + namespace + ":syncer");
      assertThat(connection.origin()).isEqualTo(new Origin.Pod(namespace));
    }
  }

  @Test
  void readsAReplacedTokenAtTheNextRequest() throws IOException {
    var namespace = sandbox.namespace("agent");
    var account = pod(namespace, cluster.serviceAccountToken(namespace, "before"));
    try (var connection = access(account.environment()).connect()) {
      var api = RawApi.over(connection);
      var before = api.user();
      account.replaceToken(cluster.serviceAccountToken(namespace, "after"));

      var after = api.user();

      assertThat(before).endsWith(":before");
      assertThat(after).endsWith(":after");
    }
  }

  @Test
  void failsInAPodThatIsNotToldWhereTheApiServerIs() throws IOException {
    pod("agent", "any");

    assertThatThrownBy(() -> access(Map.of()).connect())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the pod has a ServiceAccount, but KUBERNETES_SERVICE_HOST is not set");
  }

  @Test
  void trustsNobodyButTheClustersAuthority() throws IOException {
    var account = pod("agent", cluster.adminToken());
    var stranger = cluster.clientCertificate("stranger", List.of(), "EC").certificate();
    Files.writeString(account.path().resolve("ca.crt"), stranger);

    try (var connection = access(account.environment()).connect()) {
      var policies = new ClusterPolicies(connection);

      assertThatThrownBy(policies::list)
          .isInstanceOf(ClusterUnavailable.class)
          .hasMessageContaining("not signed by the configured CA");
    }
  }

  @Test
  void isTheKubeconfigsUserAlsoInAPod() throws IOException {
    pod("agent", "any");
    var file =
        new KubeconfigFile()
            .cluster("dev", cluster)
            .user("me", cluster.adminToken())
            .context("work", "dev", "me", "team")
            .write(folder.resolve("config"));

    try (var connection = kubeconfig(file.toString()).connect()) {

      assertThat(RawApi.over(connection).user()).isEqualTo("admin");
      assertThat(connection.origin()).isEqualTo(new Origin.Kubeconfig("work", Optional.of("team")));
    }
  }

  @Test
  void isTheHomesKubeconfigOutsideOfAPod() throws IOException {
    Files.createDirectories(folder.resolve(".kube"));
    admins().write(folder.resolve(".kube/config"));

    try (var connection = access(Map.of("HOME", folder.toString())).connect()) {

      assertThat(RawApi.over(connection).user()).isEqualTo("admin");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC"})
  void isTheUserOfAClientCertificate(String algorithm) throws IOException {
    var signed = cluster.clientCertificate("alice", List.of("system:masters"), algorithm);
    var file =
        new KubeconfigFile()
            .cluster("dev", cluster)
            .user(
                "me",
                Map.of(
                    "client-certificate-data", base64(signed.certificate()),
                    "client-key-data", base64(signed.privateKey())))
            .context("work", "dev", "me", "team")
            .write(folder.resolve("config"));

    try (var connection = kubeconfig(file.toString()).connect()) {

      assertThat(RawApi.over(connection).user()).isEqualTo("alice");
      assertThat(new ClusterPolicies(connection).list()).isNotNull();
    }
  }

  @Test
  void isTheUserOfATokenFile() throws IOException {
    var token = Files.writeString(folder.resolve("token"), cluster.adminToken() + "\n");
    var file =
        new KubeconfigFile()
            .cluster("dev", cluster)
            .user("me", Map.of("tokenFile", new Value.Text(token.toString())))
            .context("work", "dev", "me", "team")
            .write(folder.resolve("config"));

    try (var connection = kubeconfig(file.toString()).connect()) {

      assertThat(RawApi.over(connection).user()).isEqualTo("admin");
    }
  }

  @Test
  void isTheUserThatAPluginNames() throws IOException {
    var credential =
        """
        {"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
         "status": {"token": "%s"}}
        """
            .formatted(cluster.adminToken());
    Files.writeString(folder.resolve("credential"), credential);

    try (var connection = kubeconfig(printing("credential").toString()).connect()) {

      assertThat(RawApi.over(connection).user()).isEqualTo("admin");
    }
  }

  @Test
  void isTheUserOfTheCertificateThatAPluginGives() throws IOException {
    var signed = cluster.clientCertificate("alice", List.of("system:masters"), "EC");
    var credential =
        Json.write(
            new Value.Mapping(
                Map.of(
                    "apiVersion", new Value.Text("client.authentication.k8s.io/v1"),
                    "kind", new Value.Text("ExecCredential"),
                    "status",
                        new Value.Mapping(
                            Map.of(
                                "clientCertificateData", new Value.Text(signed.certificate()),
                                "clientKeyData", new Value.Text(signed.privateKey()))))));
    Files.writeString(folder.resolve("credential"), credential);

    try (var connection = kubeconfig(printing("credential").toString()).connect()) {

      assertThat(RawApi.over(connection).user()).isEqualTo("alice");
      assertThat(new ClusterPolicies(connection).list()).isNotNull();
    }
  }

  /// The API server lets `system:anonymous` ask who it is.
  @Test
  void isNeverNobodyBecauseAPluginFailed() throws IOException {
    try (var connection = kubeconfig(printing("no-such-credential").toString()).connect()) {
      var policies = new ClusterPolicies(connection);

      assertThatThrownBy(policies::list)
          .isInstanceOf(ClusterUnavailable.class)
          .hasMessageContaining("the kubeconfig's credential plugin cat failed with exit code 1: ")
          .hasMessageContaining("No such file or directory");
      assertThatThrownBy(() -> RawApi.over(connection).user())
          .rootCause()
          .hasMessageContaining("credential plugin cat failed");
    }
  }

  /// The API server looks at the certificate first.
  @Test
  void isTheUserOfACertificateThatIsSentTogetherWithAToken() throws IOException {
    var signed = cluster.clientCertificate("alice", List.of("system:masters"), "RSA");
    var file =
        new KubeconfigFile()
            .cluster("dev", cluster)
            .user(
                "me",
                Map.of(
                    "client-certificate-data", base64(signed.certificate()),
                    "client-key-data", base64(signed.privateKey()),
                    "token", new Value.Text(cluster.adminToken())))
            .context("work", "dev", "me", "team")
            .write(folder.resolve("config"));

    try (var connection = kubeconfig(file.toString()).connect()) {

      assertThat(RawApi.over(connection).user()).isEqualTo("alice");
    }
  }

  /// A kubeconfig whose plugin prints a file.
  private Path printing(String credential) throws IOException {
    var plugin =
        new Value.Mapping(
            Map.of(
                "apiVersion", new Value.Text("client.authentication.k8s.io/v1"),
                "interactiveMode", new Value.Text("Never"),
                "command", new Value.Text("cat"),
                "args",
                    new Value.Sequence(
                        List.of(new Value.Text(folder.resolve(credential).toString())))));
    return new KubeconfigFile()
        .cluster("dev", cluster)
        .user("me", Map.of("exec", plugin))
        .context("work", "dev", "me", "team")
        .write(folder.resolve("config"));
  }

  @Test
  void isTheUserOfTheContextThatWasAskedFor() throws IOException {
    var namespace = sandbox.namespace("agent");
    var file =
        admins()
            .user("viewer", cluster.serviceAccountToken(namespace, "viewer"))
            .context("other", "dev", "viewer", "elsewhere")
            .write(folder.resolve("config"));
    var access = new ClusterAccess(Map.of(), Optional.of(file.toString()), Optional.of("other"));

    try (var connection = access.connect()) {

      assertThat(RawApi.over(connection).user())
          .isEqualTo("system:serviceaccount:" + namespace + ":viewer");
      assertThat(connection.origin())
          .isEqualTo(new Origin.Kubeconfig("other", Optional.of("elsewhere")));
    }
  }

  @Test
  void isTheUserWhomTheAdminActsAs() throws IOException {
    var file = admins().write(folder.resolve("config"));
    var syncer = "system:serviceaccount:agents:syncer";

    try (var connection = as(file, syncer).connect()) {

      var user = RawApi.over(connection).userInfo();
      assertThat(user.text("username")).contains(syncer);
      assertThat(user.texts("groups"))
          .contains("system:serviceaccounts", "system:serviceaccounts:agents");
    }
  }

  @Test
  void isTheUserWhomTheKubeconfigActsAs() throws IOException {
    var file = adminActingAs(Map.of()).write(folder.resolve("config"));

    try (var connection = kubeconfig(file.toString()).connect();
        var other = as(file, "bob").connect()) {

      var user = RawApi.over(connection).userInfo();
      assertThat(user.text("username")).contains("alice");
      assertThat(user.text("uid")).contains("u-1");
      assertThat(user.texts("groups")).contains("viewers", "on-call");
      var chosen = RawApi.over(other).userInfo();
      assertThat(chosen.text("username")).contains("bob");
      assertThat(chosen.texts("groups")).doesNotContain("viewers");
    }
  }

  @Test
  void refusesToForgetWhatTheUserWhomItActsAsIsLimitedBy() throws IOException {
    var file =
        adminActingAs(Map.of("as-user-extra", new Value.Mapping(Map.of())))
            .write(folder.resolve("config"));

    assertThatThrownBy(() -> kubeconfig(file.toString()).connect())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("as-user-extra, which policy-sync does not support");
  }

  @Test
  void isNobodyElseThanItsServiceAccountInAPod() throws IOException {
    var account = pod("agent", "any");

    assertThatThrownBy(
            () -> access(account.environment()).impersonating(Optional.of("bob")).connect())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--as requires a kubeconfig; in a pod policy-sync is the pod's ServiceAccount");
  }

  private static ClusterAccess as(Path file, String user) {
    return kubeconfig(file.toString()).impersonating(Optional.of(user));
  }

  private KubeconfigFile adminActingAs(Map<String, Value> more) {
    var fields = new HashMap<String, Value>(more);
    fields.put("token", new Value.Text(cluster.adminToken()));
    fields.put("as", new Value.Text("alice"));
    fields.put("as-uid", new Value.Text("u-1"));
    fields.put(
        "as-groups",
        new Value.Sequence(List.of(new Value.Text("viewers"), new Value.Text("on-call"))));
    return new KubeconfigFile()
        .cluster("dev", cluster)
        .user("me", fields)
        .context("work", "dev", "me", "team");
  }

  @Test
  void namesTheContextThatIsMissing() throws IOException {
    var file = admins().write(folder.resolve("config"));
    var access = new ClusterAccess(Map.of(), Optional.of(file.toString()), Optional.of("prod"));

    assertThatThrownBy(access::connect)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the kubeconfig " + file + " has no context prod");
  }

  @Test
  void mergesSeveralKubeconfigsOfWhichTheFirstCounts() throws IOException {
    var nowhere = Map.<String, Value>of("server", new Value.Text("https://127.0.0.1:1"));
    var first = new KubeconfigFile().user("me", cluster.adminToken()).write(folder.resolve("a"));
    var second =
        new KubeconfigFile()
            .cluster("dev", cluster)
            .context("work", "dev", "me", "team")
            .write(folder.resolve("b"));
    var third =
        new KubeconfigFile()
            .cluster("dev", nowhere)
            .user("me", "no token of anybody")
            .context("work", "dev", "me", "third")
            .write(folder.resolve("c"));
    var missing = folder.resolve("missing");

    var paths = List.of(missing, first, second, third).stream().map(Path::toString).toList();
    try (var connection = kubeconfig(String.join(File.pathSeparator, paths)).connect()) {

      assertThat(RawApi.over(connection).user()).isEqualTo("admin");
      assertThat(connection.origin()).isEqualTo(new Origin.Kubeconfig("work", Optional.of("team")));
    }
  }

  @Test
  void findsFilesBesideTheKubeconfigThatNamesThem() throws IOException {
    var clusters = Files.createDirectory(folder.resolve("clusters"));
    Files.copy(cluster.certificateAuthority(), clusters.resolve("ca.crt"));
    var users = Files.createDirectory(folder.resolve("users"));
    Files.writeString(users.resolve("token"), cluster.adminToken());
    var first =
        new KubeconfigFile()
            .user("me", Map.of("tokenFile", new Value.Text("token")))
            .write(users.resolve("config"));
    var second =
        new KubeconfigFile()
            .cluster(
                "dev",
                Map.of(
                    "server", new Value.Text(cluster.url().toString()),
                    "certificate-authority", new Value.Text("ca.crt")))
            .context("work", "dev", "me", "team")
            .write(clusters.resolve("config"));

    try (var connection = kubeconfig(first + File.pathSeparator + second).connect()) {

      assertThat(RawApi.over(connection).user()).isEqualTo("admin");
    }
  }

  @Test
  void checksTheNameThatTheKubeconfigGivesTheServer() throws IOException {
    var right = named("kubernetes.default.svc");
    var wrong = named("kubernetes.example");

    try (var known = kubeconfig(right).connect();
        var unknown = kubeconfig(wrong).connect()) {
      var policies = new ClusterPolicies(unknown);

      assertThat(RawApi.over(known).user()).isEqualTo("admin");
      assertThatThrownBy(policies::list)
          .isInstanceOf(ClusterUnavailable.class)
          .hasMessageContaining("the certificate is for another host name");
    }
  }

  @Test
  void namesTheKubeconfigThatCannotBeUsed() throws IOException {
    var file =
        new KubeconfigFile()
            .cluster("dev", Map.of())
            .user("me", "token")
            .context("work", "dev", "me", "team")
            .write(folder.resolve("config"));

    assertThatThrownBy(() -> kubeconfig(file.toString()).connect())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the kubeconfig " + file + " cannot be used: cluster \"dev\" has no server");
  }

  @Test
  void saysWhereItLookedWhenThereIsNothing() {
    assertThatThrownBy(() -> access(Map.of("HOME", folder.toString())).connect())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "no cluster configured: not running in a pod with a ServiceAccount, KUBECONFIG and"
                + " --kubeconfig are not set, and the default kubeconfig does not exist:"
                + " %s/.kube/config",
            folder);
  }

  private KubeconfigFile admins() {
    return new KubeconfigFile()
        .cluster("dev", cluster)
        .user("me", cluster.adminToken())
        .context("work", "dev", "me", "team");
  }

  /// Makes this process believe that it is a pod.
  private ServiceAccountFolder pod(String namespace, String token) throws IOException {
    var account = ServiceAccountFolder.write(cluster, folder.resolve("pod"), namespace, token);
    System.setProperty(ClusterAccess.MOUNT_PROPERTY, account.path().toString());
    return account;
  }

  private static ClusterAccess access(Map<String, String> environment) {
    return new ClusterAccess(environment, Optional.empty(), Optional.empty());
  }

  private static ClusterAccess kubeconfig(String paths) {
    return new ClusterAccess(Map.of(), Optional.of(paths), Optional.empty());
  }

  private String named(String serverName) throws IOException {
    var fields =
        Map.<String, Value>of(
            "server", new Value.Text(cluster.url().toString()),
            "certificate-authority", new Value.Text(cluster.certificateAuthority().toString()),
            "tls-server-name", new Value.Text(serverName));
    return new KubeconfigFile()
        .cluster("dev", fields)
        .user("me", cluster.adminToken())
        .context("work", "dev", "me", "team")
        .write(folder.resolve(serverName))
        .toString();
  }

  private static Value base64(String text) {
    return new Value.Text(Base64.getEncoder().encodeToString(text.getBytes(UTF_8)));
  }
}
