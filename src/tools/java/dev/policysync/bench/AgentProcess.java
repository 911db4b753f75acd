package dev.policysync.bench;

import dev.policysync.harness.Image;
import dev.policysync.harness.PodContainer;
import dev.policysync.harness.TestAuthority;
import dev.policysync.testcluster.ServiceAccountFolder;
import dev.policysync.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The program as the image starts it: its launcher, in the environment of a pod.
final class AgentProcess {
  static final String JAVA_OPTIONS = "POLICY_SYNC_JAVA_OPTIONS";

  private static final Path LAUNCHER = Path.of("target", "dist", "bin", "policy-sync");

  private final Map<String, String> accountFiles;
  private final Path folder;
  private final TestAuthority authority;
  private final Map<String, String> environment = new HashMap<>();
  private final String javaOptions;

  /// @param token of the agent's ServiceAccount
  /// @param folder for the files of its pod
  AgentProcess(TestCluster cluster, String token, FeedServer api, Path folder) throws IOException {
    if (!Files.isExecutable(LAUNCHER)) {
      throw new IllegalStateException(LAUNCHER + " is not built; make bench does that first");
    }
    var account =
        ServiceAccountFolder.write(cluster, folder.resolve("serviceaccount"), "default", token);
    this.accountFiles = files(account.path());
    this.folder = folder;
    this.authority = api.authority();
    environment.putAll(api.environment());
    environment.putAll(account.environment());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("HOME", folder.toString());
    environment.put("POD_NAME", "kyverno-policy-sync-29000000-bench");
    this.javaOptions =
        "-Dpolicysync.serviceaccount="
            + account.path()
            + " "
            + System.getenv().getOrDefault(JAVA_OPTIONS, "");
  }

  /// Whom it trusts when it speaks to the remote API.
  enum Trusting {
    /// Java's roots and the API's authority in `SSL_CERT_FILE`, as behind a company's proxy.
    BUNDLE,
    /// Java's roots, with the API's authority among them: as with an API that everybody trusts.
    RUNTIMES_ROOTS,
    /// The API's authority instead of Java's roots.
    ONE_ROOT
  }

  ProcessBuilder process(Trusting trusting, String... arguments) throws IOException {
    var command = new ArrayList<>(List.of(LAUNCHER.toAbsolutePath().toString()));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command);
    process.environment().clear();
    process.environment().putAll(environment);
    process.environment().put(JAVA_OPTIONS, javaOptions);
    if (trusting == Trusting.BUNDLE) {
      process.environment().put("SSL_CERT_FILE", authority.pem().toString());
    } else {
      var store = "-Djavax.net.ssl.trustStore=" + trustStore(trusting);
      process.environment().put(JAVA_OPTIONS, javaOptions + " " + store);
    }
    return process;
  }

  /// The same in the image, with the files of a Pod where a Pod has them.
  ProcessBuilder of(Image image) throws IOException {
    var variables = new HashMap<>(environment);
    variables.keySet().removeAll(List.of("JAVA_HOME", "HOME"));
    variables.put("SSL_CERT_FILE", "/etc/policy-sync/ca/ca.crt");
    var authorities = Map.of("ca.crt", Files.readString(authority.pem()));
    var mounts =
        Map.of(
            "/etc/policy-sync/ca",
            PodContainer.readable(folder.resolve("ca"), authorities),
            "/var/run/secrets/kubernetes.io/serviceaccount",
            PodContainer.readable(folder.resolve("serviceaccount-of-image"), accountFiles));
    return image.process(new Image.Container(List.of(), List.of("sync"), variables, mounts));
  }

  private Path trustStore(Trusting trusting) throws IOException {
    var file = folder.resolve(trusting + ".jks");
    if (Files.exists(file)) {
      return file;
    }
    try (var out = Files.newOutputStream(file);
        var pem = Files.newInputStream(authority.pem())) {
      // JKS, because a PKCS #12 file is encrypted, which Java's own roots are not.
      var store = KeyStore.getInstance("JKS");
      store.load(null, null);
      if (trusting == Trusting.RUNTIMES_ROOTS) {
        addRuntimesRoots(store);
      }
      var certificate = CertificateFactory.getInstance("X.509").generateCertificate(pem);
      store.setCertificateEntry("api", certificate);
      store.store(out, TestAuthority.PASSWORD.toCharArray());
      return file;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot make a trust store", e);
    }
  }

  private static Map<String, String> files(Path folder) throws IOException {
    var files = new HashMap<String, String>();
    for (var name : List.of("ca.crt", "namespace", "token")) {
      files.put(name, Files.readString(folder.resolve(name)));
    }
    return files;
  }

  private static void addRuntimesRoots(KeyStore store)
      throws GeneralSecurityException, IOException {
    var file = Path.of(System.getProperty("java.home"), "lib", "security", "cacerts");
    var roots = KeyStore.getInstance(file.toFile(), TestAuthority.PASSWORD.toCharArray());
    for (var alias : Collections.list(roots.aliases())) {
      store.setCertificateEntry(alias, roots.getCertificate(alias));
    }
  }
}
