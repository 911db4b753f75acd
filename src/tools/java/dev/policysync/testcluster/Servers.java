package dev.policysync.testcluster;

import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.remote.http.Trust;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.HttpUrl;
import okhttp3.Request;
import org.awaitility.Awaitility;

/// etcd and kube-apiserver as processes of this machine, with all their data in one temporary
/// folder.
final class Servers implements AutoCloseable {
  private final ClusterAssets assets;
  private final Path folder;
  private final int etcdPort;
  private final HttpUrl url;
  private final GuardedProcess etcd;
  private final AtomicBoolean ended = new AtomicBoolean();
  private GuardedProcess apiServer;

  /// @param tokens the content of the token file, a line for each user
  /// @param clients the authority of client certificates, in PEM form
  /// @param host the address of the API server: `127.0.0.1`, `::1`
  Servers(ClusterAssets assets, String tokens, String clients, String host) throws IOException {
    this.assets = assets;
    this.folder = Files.createTempDirectory("policy-sync-cluster-");
    Files.writeString(folder.resolve("tokens.csv"), tokens);
    Files.writeString(folder.resolve("clients.crt"), clients);
    Files.writeString(folder.resolve("sa.key"), Certificates.tokenKey());
    Files.writeString(folder.resolve("audit.json"), AuditLog.POLICY);
    var ports = FreePorts.take(3);
    this.etcdPort = ports.getFirst();
    this.url = new HttpUrl.Builder().scheme("https").host(host).port(ports.getLast()).build();
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "test-cluster-end"));
    this.etcd = GuardedProcess.start(folder, etcdCommand(ports.get(1)));
    this.apiServer = GuardedProcess.start(folder, apiServerCommand());
  }

  Address address() {
    return new Address(url, folder);
  }

  /// Waits until the API server takes requests.
  void awaitReady(String token) {
    Awaitility.await("kube-apiserver to be ready")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(100))
        .failFast("a server of the test cluster ended while it started", this::requireAlive)
        .ignoreException(IllegalArgumentException.class)
        .until(() -> ready(token));
  }

  void stopApiServer() {
    apiServer.close();
  }

  void startApiServer() throws IOException {
    apiServer = GuardedProcess.start(folder, apiServerCommand());
  }

  /// Lets etcd stand still until that is closed.
  Stall stallEtcd() {
    return etcd.stall();
  }

  @Override
  public void close() {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    apiServer.close();
    etcd.close();
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the test cluster's data is left in " + folder, e);
    }
  }

  private void requireAlive() {
    for (var server : List.of(etcd, apiServer)) {
      if (!server.alive()) {
        throw new IllegalStateException(server.lastWords());
      }
    }
  }

  private boolean ready(String token) {
    var trust = Trust.only(address().certificateAuthority());
    try (var connections = Connections.tls(trust, ProxyRules.none());
        var answer =
            connections
                .client()
                .newCall(
                    new Request.Builder()
                        .url(url.newBuilder().addPathSegment("readyz").build())
                        .header("Authorization", "Bearer " + token)
                        .build())
                .execute()) {
      return answer.code() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private List<String> etcdCommand(int peerPort) {
    var clients = "http://127.0.0.1:" + etcdPort;
    return List.of(
        assets.etcd().toString(),
        "--data-dir=etcd",
        "--listen-client-urls=" + clients,
        "--advertise-client-urls=" + clients,
        "--listen-peer-urls=http://127.0.0.1:" + peerPort,
        "--unsafe-no-fsync",
        "--log-level=error");
  }

  private List<String> apiServerCommand() {
    var command = new ArrayList<>(apiServerFlags());
    if (url.host().contains(":")) {
      // What it would tell others, who are none: this machine may have no such address but
      // loopback's.
      command.add("--advertise-address=2001:db8::1");
      command.add("--service-cluster-ip-range=fd00::/108");
    } else {
      command.add("--service-cluster-ip-range=10.0.0.0/24");
    }
    return command;
  }

  private List<String> apiServerFlags() {
    return List.of(
        assets.apiServer().toString(),
        "--etcd-servers=http://127.0.0.1:" + etcdPort,
        "--bind-address=" + url.host(),
        "--secure-port=" + url.port(),
        "--cert-dir=certs",
        "--token-auth-file=tokens.csv",
        "--client-ca-file=clients.crt",
        "--authorization-mode=RBAC",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-account-key-file=sa.key",
        "--service-account-signing-key-file=sa.key",
        "--disable-admission-plugins=ServiceAccount",
        "--allow-privileged=true",
        "--audit-policy-file=audit.json",
        "--audit-log-path=audit.log",
        "--audit-log-maxsize=4000");
  }
}
