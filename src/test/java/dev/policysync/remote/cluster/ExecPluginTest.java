package dev.policysync.remote.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.remote.cluster.FakeApiServer.Sender;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.testcluster.Certificates;
import dev.policysync.testcluster.KubeconfigFile;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Credential plugins, which are shell scripts here, and a server with real TLS.
class ExecPluginTest {
  private static final Certificates AUTHORITY = new Certificates();
  private static final String V1 = "client.authentication.k8s.io/v1";
  private static final String V1BETA1 = "client.authentication.k8s.io/v1beta1";

  @TempDir private Path folder;
  private FakeApiServer server;
  private boolean terminal;

  @BeforeEach
  void start() throws IOException {
    server = FakeApiServer.of(AUTHORITY);
  }

  @AfterEach
  void end() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {V1, V1BETA1})
  void sendsTheTokenOfThePluginWhichIsRunOnce(String apiVersion) throws IOException {
    var config = config(apiVersion, Map.of(), counting(answer(apiVersion, "\"token\": \"t1\"")));

    try (var connection = connect(config)) {
      get(connection);
      get(connection);
    }

    assertThat(server.senders())
        .extracting(Sender::authorization)
        .containsExactly("Bearer t1", "Bearer t1");
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  void runsNothingBeforeTheFirstRequest() throws IOException {
    connect(config(V1, Map.of(), counting(answer(V1, "\"token\": \"t1\"")))).close();

    assertThat(runs()).isZero();
  }

  @Test
  void tellsThePluginWhatItIsToKnow() throws IOException {
    var script = "printf %s \"$KUBERNETES_EXEC_INFO\" > " + folder.resolve("info") + "\n";

    get(config(V1, Map.of(), script + answer(V1, "\"token\": \"t1\"")));

    assertThat(info())
        .isEqualTo(
            Json.parse(
                "{\"kind\": \"ExecCredential\", \"apiVersion\": \""
                    + V1
                    + "\","
                    + " \"spec\": {\"interactive\": false}}"));
  }

  @Test
  void tellsThePluginOfTheClusterIfItAsksForThat() throws IOException {
    var script = "printf %s \"$KUBERNETES_EXEC_INFO\" > " + folder.resolve("info") + "\n";
    var provide = Map.<String, Value>of("provideClusterInfo", new Value.Bool(true));

    get(config(V1BETA1, provide, script + answer(V1BETA1, "\"token\": \"t1\"")));

    var spec = info().mapping("spec");
    assertThat(info().text("apiVersion")).contains(V1BETA1);
    assertThat(spec.mapping("cluster"))
        .isEqualTo(
            new Value.Mapping(
                Map.of(
                    "server", new Value.Text(server.url()),
                    "certificate-authority-data", base64(AUTHORITY.pem()),
                    "tls-server-name", new Value.Text("api.example"),
                    "config",
                        new Value.Mapping(
                            Map.of(
                                "audience", new Value.Text("a"), "hours", Value.Numeric.of(8))))));
  }

  @Test
  void passesArgumentsAndVariables() throws IOException {
    var env =
        new Value.Sequence(
            List.of(
                new Value.Mapping(
                    Map.of("name", new Value.Text("REGION"), "value", new Value.Text("eu-1")))));
    var args = new Value.Sequence(List.of(new Value.Text("one two"), new Value.Text("$HOME")));
    var script = "echo \"$1|$2|$REGION|$FAIRWINDS_TOKEN\" > " + folder.resolve("got") + "\n";

    get(config(V1, Map.of("env", env, "args", args), script + answer(V1, "\"token\": \"t1\"")));

    assertThat(folder.resolve("got")).hasContent("one two|$HOME|eu-1|");
  }

  @Test
  void showsTheCertificateOfThePluginAndItsToken() throws IOException {
    var signed = AUTHORITY.issue("alice", List.of(), "EC");

    get(config(V1, Map.of(), answer(V1, certificate(signed) + ", \"token\": \"t1\"")));

    assertThat(server.senders()).containsExactly(new Sender("Bearer t1", "CN=alice", ""));
  }

  @Test
  void asksOnceMoreForAnotherCredentialThanOneThatIsRefused() throws IOException {
    var old = AUTHORITY.issue("old", List.of(), "EC");
    var fresh = AUTHORITY.issue("new", List.of(), "EC");
    var script =
        "if [ -e "
            + folder.resolve("asked")
            + " ]\nthen\n"
            + answer(V1, certificate(fresh))
            + "else\n"
            + answer(V1, certificate(old))
            + "fi\ntouch "
            + folder.resolve("asked")
            + "\n";
    server.knows(sender -> sender.certificate().equals("CN=new"));

    var config = config(V1, Map.of(), counting(script));
    try (var connection = connect(config)) {
      assertThat(get(connection)).as("%s", server.senders()).isEqualTo(200);
      assertThat(get(connection)).as("%s", server.senders()).isEqualTo(200);
    }

    assertThat(server.senders())
        .extracting(Sender::certificate)
        .containsExactly("CN=old", "CN=new", "CN=new");
    assertThat(runs()).isEqualTo(2);
  }

  @Test
  void doesNotAskForEver() throws IOException {
    server.knows(_ -> false);
    var config = config(V1, Map.of(), counting(answer(V1, "\"token\": \"t1\"")));

    try (var connection = connect(config)) {
      assertThat(get(connection)).isEqualTo(401);
      assertThat(get(connection)).isEqualTo(401);
    }

    assertThat(runs()).isEqualTo(2);
    assertThat(server.senders()).hasSize(3);
  }

  @Test
  void asksAgainWhenTheCredentialHasExpired() throws IOException {
    var past = Instant.now().minusSeconds(1);
    var expired = "\"token\": \"t1\", \"expirationTimestamp\": \"" + past + "\"";
    var config = config(V1, Map.of(), counting(answer(V1, expired)));

    try (var connection = connect(config)) {
      get(connection);
    }

    assertThat(runs()).isGreaterThan(1);
  }

  @Test
  void endsWithWhatAPluginSaidThatFailed() throws IOException {
    var secret = "s3cr3t-value";
    var env =
        new Value.Sequence(
            List.of(
                new Value.Mapping(
                    Map.of(
                        "name", new Value.Text("PASSPHRASE"), "value", new Value.Text(secret)))));
    var hint = new Value.Text("Log in with\u001b[31m aws sso login");
    var opaque = "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQeyJhbGciOiJSUzI1";
    var config =
        config(
            V1,
            Map.of("env", env, "installHint", hint),
            counting(
                "printf 'The SSO session\\033[2J\\nhas expired (%s, "
                    + opaque
                    + ")' $PASSPHRASE >&2\nexit 3\n"));

    try (var connection = connect(config)) {
      for (var _ : List.of(1, 2)) {
        assertThatThrownBy(() -> get(connection))
            .isInstanceOf(ClusterUnavailable.class)
            .message()
            .contains(
                "failed: the kubeconfig's credential plugin "
                    + folder.resolve("plugin")
                    + " failed with exit code 3: The SSO session [2J has expired (…, …);"
                    + " Log in with [31m aws sso login")
            .doesNotContain(secret, "\n", "\u001b");
      }
    }
    assertThat(runs()).as("it is not run again for the next request").isEqualTo(1);
    assertThat(server.senders()).as("never as system:anonymous").isEmpty();
  }

  @Test
  void endsWithTheNameOfAPluginThatIsMissing() throws IOException {
    var hint = Map.<String, Value>of("installHint", new Value.Text("Install it from example.org"));
    var config = config(V1, hint, "no-such-plugin", "");

    assertThatThrownBy(() -> get(config))
        .isInstanceOf(ClusterUnavailable.class)
        .hasMessageEndingWith(
            "failed: the kubeconfig's credential plugin no-such-plugin cannot be started; check"
                + " that it is installed, executable and in PATH; Install it from example.org");
    assertThat(server.senders()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "not JSON | did not return an ExecCredential as JSON",
        "{\"kind\": \"Status\"} | did not return an ExecCredential as JSON",
        "{\"kind\": \"ExecCredential\", \"apiVersion\": \"client.authentication.k8s.io/v1beta1\"} |"
            + " is configured for client.authentication.k8s.io/v1 and returned another apiVersion",
        "{\"kind\": \"ExecCredential\", \"apiVersion\": \"client.authentication.k8s.io/v1\"} |"
            + " returned no status",
        "{\"kind\": \"ExecCredential\", \"apiVersion\": \"client.authentication.k8s.io/v1\","
            + " \"status\": {\"token\": \"\"}} | returned neither a token nor a client certificate",
        "{\"kind\": \"ExecCredential\", \"apiVersion\": \"client.authentication.k8s.io/v1\","
            + " \"status\": {\"clientKeyData\": \"hunter2\"}} | returned only one of client"
            + " certificate and key",
        "{\"kind\": \"ExecCredential\", \"apiVersion\": \"client.authentication.k8s.io/v1\","
            + " \"status\": {\"clientCertificateData\": \"hunter2\", \"clientKeyData\": \"x\"}} |"
            + " returned a bad certificate: clientCertificateData contains no certificate"
      })
  void endsWithWhatIsWrongWithAnAnswer(String answer, String reason) throws IOException {
    var config = config(V1, Map.of(), "cat <<'EOF'\n" + answer + "\nEOF\n");

    assertThatThrownBy(() -> get(config))
        .isInstanceOf(ClusterUnavailable.class)
        .hasMessageContaining("credential plugin " + folder.resolve("plugin") + " " + reason)
        .message()
        .doesNotContain("hunter2");
    assertThat(server.senders()).isEmpty();
  }

  @Test
  void stopsAPluginThatHangsWithAllThatItStarted() throws Exception {
    var config = config(V1, Map.of(), hanging());
    var stop = new Cancellation(Duration.ofMinutes(5), System::nanoTime);
    try (var connection = connect(config).withTimeBudget(stop)) {
      var getting = CompletableFuture.runAsync(() -> get(connection));
      var started = started(2);

      stop.raise(StopReason.SIGNAL);

      await().atMost(TimeLimits.WAIT).until(getting::isCompletedExceptionally);
      assertThatThrownBy(getting::get).cause().isInstanceOf(ClusterUnavailable.class);
      started.forEach(ExecPluginTest::awaitEnd);
    }
    assertThat(server.senders()).isEmpty();
  }

  @Test
  void givesAPluginNoMoreThanItsTimeAndSaysSo() throws Exception {
    var config = config(V1, Map.of(), "echo asking the cloud >&2\n" + hanging());
    var clock = new java.util.concurrent.atomic.AtomicLong();
    var patient = new Cancellation(Duration.ofMinutes(5), clock::get);
    try (var connection = connect(config).withTimeBudget(patient)) {
      var getting = CompletableFuture.runAsync(() -> get(connection));
      var started = started(2);

      clock.set(Duration.ofSeconds(61).toNanos());

      await().atMost(TimeLimits.WAIT).until(getting::isCompletedExceptionally);
      assertThatThrownBy(getting::get)
          .cause()
          .hasMessageEndingWith("did not end within 60 s and was stopped: asking the cloud");
      started.forEach(ExecPluginTest::awaitEnd);
    }
  }

  /// What it left running has its output, and would keep a reader waiting for the end of it.
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void doesNotWaitForWhatAPluginLeftRunning(int exitCode) throws Exception {
    var script =
        "sleep 600 &\necho $! >> "
            + folder.resolve("pids")
            + "\nsleep 0.3\n"
            + answer(V1, "\"token\": \"t1\"")
            + "exit "
            + exitCode
            + "\n";
    var config = config(V1, Map.of(), script);

    if (exitCode == 0) {
      get(config);
      assertThat(server.senders()).hasSize(1);
    } else {
      assertThatThrownBy(() -> get(config)).hasMessageContaining("failed with exit code 1");
    }

    started(1).forEach(ExecPluginTest::awaitEnd);
  }

  @ParameterizedTest
  @CsvSource({"Never, false", "IfAvailable, true", "Always, true"})
  void tellsThePluginWhetherItMayAskSomebody(String mode, boolean interactive) throws IOException {
    terminal = true;
    var script = "printf %s \"$KUBERNETES_EXEC_INFO\" > " + folder.resolve("info") + "\n";
    var asking = Map.<String, Value>of("interactiveMode", new Value.Text(mode));

    get(config(V1, asking, script + answer(V1, "\"token\": \"t1\"")));

    assertThat(info().mapping("spec").field("interactive")).contains(new Value.Bool(interactive));
  }

  @Test
  void refusesWhatKubectlRefuses() throws IOException {
    var always = Map.<String, Value>of("interactiveMode", new Value.Text("Always"));
    var odd = Map.<String, Value>of("interactiveMode", new Value.Text("Sometimes"));
    var none = Map.<String, Value>of("interactiveMode", new Value.Text(""));
    var old = "client.authentication.k8s.io/v1alpha1";

    assertRefused(config(V1, always, ""), "is Always, but standard input is not a terminal");
    assertRefused(config(V1, odd, ""), "is not one of Never, IfAvailable and Always");
    assertRefused(config(V1, none, ""), "interactiveMode of exec of user \"me\" is missing");
    assertRefused(config(old, Map.of(), ""), "apiVersion of exec of user \"me\" is " + old);
    assertRefused(config(V1, Map.of(), "", ""), "command of exec of user \"me\" is missing");
  }

  /// As kubectl, which then asks no plugin.
  @Test
  void prefersATokenToThePlugin() throws IOException {
    var user = new HashMap<String, Value>();
    user.put("exec", exec(V1, Map.of(), plugin(counting("exit 1\n"))));
    user.put("token", new Value.Text("own"));

    get(write(user));

    assertThat(server.senders()).extracting(Sender::authorization).containsExactly("Bearer own");
    assertThat(runs()).isZero();
  }

  private void assertRefused(Path config, String reason) {
    assertThatThrownBy(() -> connect(config))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the kubeconfig " + config + " cannot be used: ")
        .hasMessageContaining(reason);
  }

  /// A script that waits for another one, which waits for a third.
  private String hanging() {
    var pids = folder.resolve("pids");
    return "echo $$ >> " + pids + "\nsh -c 'echo $$ >> " + pids + "; sleep 600; true'\ntrue\n";
  }

  /// The processes of a hanging plugin.
  private List<ProcessHandle> started(int count) {
    var pids = folder.resolve("pids");
    await()
        .atMost(TimeLimits.WAIT)
        .until(() -> Files.exists(pids) && Files.readAllLines(pids).size() >= count);
    try {
      return Files.readAllLines(pids).stream()
          .map(Long::parseLong)
          .flatMap(pid -> ProcessHandle.of(pid).stream())
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitEnd(ProcessHandle process) {
    await().atMost(TimeLimits.WAIT).until(() -> !process.isAlive());
  }

  private String counting(String script) {
    return "echo run >> " + folder.resolve("runs") + "\n" + script;
  }

  private long runs() throws IOException {
    var runs = folder.resolve("runs");
    return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
  }

  private Value.Mapping info() throws IOException {
    return (Value.Mapping) Json.parse(Files.readString(folder.resolve("info")));
  }

  /// A script's lines that print a credential.
  private static String answer(String apiVersion, String status) {
    return "cat <<'EOF'\n{\"kind\": \"ExecCredential\", \"apiVersion\": \""
        + apiVersion
        + "\", \"status\": {"
        + status
        + "}}\nEOF\n";
  }

  private static String certificate(Certificates.Signed signed) {
    return "\"clientCertificateData\": "
        + Json.write(new Value.Text(signed.certificate()))
        + ", \"clientKeyData\": "
        + Json.write(new Value.Text(signed.privateKey()));
  }

  private Path plugin(String script) throws IOException {
    var plugin = Files.writeString(folder.resolve("plugin"), "#!/bin/sh\n" + script);
    return Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Value.Mapping exec(String apiVersion, Map<String, Value> more, Path plugin) {
    return exec(apiVersion, more, plugin.toString());
  }

  private static Value.Mapping exec(String apiVersion, Map<String, Value> more, String command) {
    var fields = new HashMap<String, Value>();
    fields.put("apiVersion", new Value.Text(apiVersion));
    fields.put("interactiveMode", new Value.Text("Never"));
    fields.put("command", new Value.Text(command));
    fields.putAll(more);
    return new Value.Mapping(fields);
  }

  private Path config(String apiVersion, Map<String, Value> more, String script)
      throws IOException {
    plugin(script);
    // A path that is relative to the kubeconfig.
    return write(new HashMap<>(Map.of("exec", exec(apiVersion, more, "./plugin"))));
  }

  private Path config(String apiVersion, Map<String, Value> more, String command, String script)
      throws IOException {
    plugin(script);
    return write(new HashMap<>(Map.of("exec", exec(apiVersion, more, command))));
  }

  private Path write(Map<String, Value> user) throws IOException {
    var extension =
        new Value.Mapping(Map.of("audience", new Value.Text("a"), "hours", Value.Numeric.of(8)));
    var cluster =
        Map.<String, Value>of(
            "server", new Value.Text(server.url()),
            "tls-server-name", new Value.Text("api.example"),
            "certificate-authority-data", base64(AUTHORITY.pem()),
            "extensions",
                new Value.Sequence(
                    List.of(
                        new Value.Mapping(
                            Map.of(
                                "name",
                                new Value.Text("client.authentication.k8s.io/exec"),
                                "extension",
                                extension)))));
    return new KubeconfigFile()
        .cluster("dev", cluster)
        .user("me", user)
        .context("work", "dev", "me", "team")
        .write(folder.resolve("config"));
  }

  private static Value base64(String text) {
    return new Value.Text(Base64.getEncoder().encodeToString(text.getBytes(UTF_8)));
  }

  private ClusterConnection connect(Path file) {
    return new ClusterAccess(Map.of(), Optional.of(file.toString()), Optional.empty())
        .withTerminal(terminal)
        .connect();
  }

  private void get(Path file) {
    try (var connection = connect(file)) {
      get(connection);
    }
  }

  private static int get(ClusterConnection connection) {
    return new KubeApi(connection).get(connection.server(), KubeApi.JSON).status();
  }
}
