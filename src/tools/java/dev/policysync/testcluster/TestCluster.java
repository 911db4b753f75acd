package dev.policysync.testcluster;

import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.remote.http.Trust;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import okhttp3.HttpUrl;

/// One kube-apiserver with its etcd and Kyverno's custom resources, on free loopback ports. Nothing
/// of a cluster runs besides: no controllers, so no garbage collection and no end of a namespace.
///
/// Its certificate is its own, and every client verifies it. Once it is closed, or this JVM has
/// ended in whatever way, both processes and all their data are gone.
public final class TestCluster implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String FOR_A_DAY = "spec: {expirationSeconds: 86400}";
  private static final String KYVERNO_HEALTH =
      "/apis/coordination.k8s.io/v1/namespaces/kyverno/leases/kyverno-health";

  private final Certificates certificates = new Certificates();
  private final String adminToken;
  private final List<ClusterConnection> connections = new ArrayList<>();
  private final Map<String, RawApi> apis = new ConcurrentHashMap<>();
  private final ClusterAssets assets;
  private final Optional<Servers> servers;
  private final Address address;

  private TestCluster(ClusterAssets assets, String host) {
    this.assets = assets;
    this.adminToken = UUID.randomUUID().toString();
    try {
      var started =
          new Servers(
              assets, adminToken + ",admin,admin,\"system:masters\"\n", certificates.pem(), host);
      this.servers = Optional.of(started);
      this.address = started.address();
    } catch (IOException e) {
      throw new UncheckedIOException("the test cluster cannot be started", e);
    }
  }

  private TestCluster(ClusterAssets assets, Address address, String adminToken) {
    this.assets = assets;
    this.adminToken = adminToken;
    this.servers = Optional.empty();
    this.address = address;
  }

  /// A cluster that somebody else has started and will end.
  ///
  /// @param adminToken of a member of `system:masters`
  public static TestCluster at(Address address, String adminToken) {
    return new TestCluster(ClusterAssets.find(), address, adminToken);
  }

  /// Starts a cluster with all custom resources in place, in which Kyverno runs as far as a run can
  /// see.
  public static TestCluster start(ClusterAssets assets) {
    return start(assets, LOOPBACK);
  }

  /// The same at that address of this machine: `::1`.
  public static TestCluster start(ClusterAssets assets, String host) {
    var cluster = startBare(assets, host);
    try {
      cluster.installCustomResources();
      cluster.letKyvernoRun();
      return cluster;
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  /// Starts a cluster without Kyverno's custom resources.
  static TestCluster startBare(ClusterAssets assets) {
    return startBare(assets, LOOPBACK);
  }

  private static TestCluster startBare(ClusterAssets assets, String host) {
    var cluster = new TestCluster(assets, host);
    try {
      cluster.servers().awaitReady(cluster.adminToken);
      return cluster;
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  /// What it is made of.
  ClusterAssets assets() {
    return assets;
  }

  /// The API server's base URL: `https://127.0.0.1:40123/`.
  public HttpUrl url() {
    return address.url();
  }

  /// Where others find it.
  public Address address() {
    return address;
  }

  /// Where its logs and data are.
  public Path folder() {
    return address.folder();
  }

  /// The certificate, in PEM form, that verifies the API server's.
  public Path certificateAuthority() {
    return address.certificateAuthority();
  }

  /// The token of a member of `system:masters`, who may do everything.
  public String adminToken() {
    return adminToken;
  }

  /// The API as that admin.
  public RawApi admin() {
    return as(adminToken);
  }

  /// The API as the bearer of that token.
  public RawApi as(String token) {
    return apis.computeIfAbsent(token, _ -> RawApi.over(connect(token)));
  }

  /// What was asked of the API server so far, and by whom.
  public AuditLog auditLog() {
    return new AuditLog(address.auditLog(), admin());
  }

  /// A connection as the code under test uses it, as the bearer of that token. It is closed with
  /// the cluster.
  public synchronized ClusterConnection connect(String token) {
    var tls = Connections.tls(Trust.only(certificateAuthority()), ProxyRules.none());
    var http =
        tls.client()
            .newBuilder()
            .addInterceptor(chain ->
                chain.proceed(
                    chain
                        .request()
                        .newBuilder()
                        .header("Authorization", "Bearer " + token)
                        .build()))
            .build();
    var connection = new ClusterConnection(url(), http, "default", tls::close);
    connections.add(connection);
    return connection;
  }

  /// A token of that ServiceAccount, which is created where it is missing. It may do nothing until
  /// a role says so.
  public String serviceAccountToken(String namespace, String name) {
    var account = "/api/v1/namespaces/" + namespace + "/serviceaccounts/" + name;
    var manifest = "{apiVersion: v1, kind: ServiceAccount, metadata: {name: " + name + "}}";
    admin().apply(account + "?fieldManager=test", manifest).ok();
    var request = admin().post(account + "/token", Documents.yaml(FOR_A_DAY)).ok();
    return request.mapping("status").text("token").orElseThrow();
  }

  /// A certificate by which its bearer is that user in these groups.
  ///
  /// @param algorithm of the private key: `RSA` or `EC`
  public Certificates.Signed clientCertificate(String user, List<String> groups, String algorithm) {
    return certificates.issue(user, groups, algorithm);
  }

  /// Makes the cluster one that does not serve that kind.
  ///
  /// @param name of the custom resource: `deletingpolicies.policies.kyverno.io`
  public void removeCustomResource(String name) {
    new CustomResources(admin()).remove(name);
  }

  /// Makes the cluster one that serves a kind in these versions and no others.
  ///
  /// @param name of the custom resource: `deletingpolicies.policies.kyverno.io`
  public void serve(String name, Set<String> versions) {
    new CustomResources(admin()).serve(name, versions);
  }

  /// Makes the cluster one whose definition of a kind has that version and no others any more,
  /// after every object was rewritten at it.
  ///
  /// @param name of the custom resource: `deletingpolicies.policies.kyverno.io`
  public void keepOnly(String name, String version) {
    new CustomResources(admin()).keepOnly(name, version);
  }

  /// Puts all custom resources in place, also those that were removed.
  public void installCustomResources() {
    try {
      new CustomResources(admin()).install(assets.customResources());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the custom resources of " + assets, e);
    }
  }

  /// Makes the cluster one that serves a kind that is none of Kyverno's, until it is removed.
  ///
  /// @param definition a CustomResourceDefinition, as YAML
  public void installCustomResource(String definition) {
    new CustomResources(admin()).install(definition);
  }

  /// Makes the cluster one in which Kyverno seems to run until somebody says otherwise: it has the
  /// Lease that Kyverno would renew, renewed long after now.
  public void letKyvernoRun() {
    admin()
        .apply(
            "/api/v1/namespaces/kyverno?fieldManager=test",
            "{apiVersion: v1, kind: Namespace, metadata: {name: kyverno}}")
        .ok();
    admin()
        .apply(
            KYVERNO_HEALTH + "?fieldManager=test&force=true",
            "{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: kyverno-health,"
                + " annotations: {kyverno.io/last-request-time: \"2100-01-01T00:00:00Z\"}}}")
        .ok();
  }

  /// Makes the cluster one in which Kyverno does not run: its Deployment was scaled to 0.
  public void stopKyverno() {
    admin().delete(KYVERNO_HEALTH);
  }

  /// Lets etcd stand still, as with a disk that hangs, until that is closed.
  public Stall stallEtcd() {
    return servers().stallEtcd();
  }

  /// Ends the API server; etcd keeps what it knew.
  public void stopApiServer() {
    servers().stopApiServer();
  }

  /// Starts the API server again, at the same URL and with the same certificate.
  public void startApiServer() {
    try {
      servers().startApiServer();
    } catch (IOException e) {
      throw new UncheckedIOException("kube-apiserver cannot be started again", e);
    }
    servers().awaitReady(adminToken);
  }

  @Override
  public synchronized void close() {
    connections.forEach(ClusterConnection::close);
    servers.ifPresent(Servers::close);
  }

  private Servers servers() {
    return servers.orElseThrow(() ->
        new IllegalStateException("whoever started " + address.url() + " stops and stalls it"));
  }
}
