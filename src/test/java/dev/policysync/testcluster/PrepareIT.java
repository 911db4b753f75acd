package dev.policysync.testcluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `dev/cluster/prepare` takes from a server of release binaries, and what it builds. The
/// programs are scripts that know their version, and so is the compiler; Go fetches real CRDs. That
/// the real ones can be built, every other test here shows on a machine that has none yet.
class PrepareIT {
  private static final Path SOURCE = Path.of("dev", "cluster");

  @TempDir private Path folder;

  private final Map<String, byte[]> releases = new HashMap<>();
  private final Map<String, byte[]> served = new HashMap<>();
  private HttpServer server;
  private String kubernetes;
  private Path cluster;

  @BeforeEach
  void begin() throws Exception {
    cluster = folder.resolve("cluster");
    try (var files = Files.walk(SOURCE)) {
      for (var file : files.toList()) {
        Files.copy(file, cluster.resolve(SOURCE.relativize(file)));
      }
    }
    kubernetes = version("kube-apiserver", "k8s.io/kubernetes");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          var body = served.get(exchange.getRequestURI().getPath().substring(1));
          var head = exchange.getRequestMethod().equals("HEAD");
          exchange.sendResponseHeaders(
              body == null ? 404 : 200, body == null || head ? -1 : body.length);
          if (body != null && !head) {
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    server.start();
    release("kube-apiserver", "Kubernetes " + kubernetes);
    release("kubectl", "Client Version: " + kubernetes);
    pin();
    compiler();
  }

  @AfterEach
  void end() {
    server.stop(0);
  }

  @Test
  void fetchesReleaseBinariesAndBuildsWhatThereIsNoneOf() throws Exception {
    served.putAll(releases);

    var run = prepare("http://127.0.0.1:" + server.getAddress().getPort());

    assertThat(run.exitCode()).as(run.stderr()).isZero();
    assertThat(run.stderr().lines().limit(4))
        .containsExactly(
            "prepare: a test cluster is put together, once for this machine:",
            "prepare:   CRDs of Kyverno and openreports: fetched, a few seconds",
            "prepare:   kube-apiserver kubectl: release binaries, fetched, a few seconds",
            "prepare:   etcd: built, 1 to 2 minutes on two cores");
    assertThat(run.program("kube-apiserver")).contains("fetched");
    assertThat(run.program("kubectl")).contains("fetched");
    assertThat(run.program("etcd")).contains("built");
    assertThat(run.folder().resolve("crds").resolve("kyverno.io_clusterpolicies.yaml")).exists();
  }

  @Test
  void buildsEverythingWhereNoReleaseBinaryCanBeFetched() throws Exception {
    var run = prepare("http://127.0.0.1:" + server.getAddress().getPort());

    assertThat(run.exitCode()).as(run.stderr()).isZero();
    assertThat(run.stderr())
        .contains("prepare:   etcd kube-apiserver kubectl: built, 5 to 12 minutes on two cores\n")
        .doesNotContain("fetching the release binary");
    assertThat(run.program("kube-apiserver")).contains("built");
  }

  @Test
  void buildsEverythingWhereNothingShallBeFetched() throws Exception {
    served.putAll(releases);

    var run = prepare("none");

    assertThat(run.exitCode()).as(run.stderr()).isZero();
    assertThat(run.program("kubectl")).contains("built");
  }

  @Test
  void neverTakesAReleaseBinaryThatIsNotTheOnePinned() throws Exception {
    served.putAll(releases);
    served.put(path("kubectl"), script("Client Version: " + kubernetes, "somebody else's"));

    var run = prepare("http://127.0.0.1:" + server.getAddress().getPort());

    assertThat(run.exitCode()).as(run.stderr()).isZero();
    assertThat(run.stderr())
        .contains("kubectl is built instead of fetched: ", "has not the checksum");
    assertThat(run.program("kubectl")).contains("built");
    assertThat(run.program("kube-apiserver")).contains("fetched");
  }

  private record Run(int exitCode, String stdout, String stderr) {
    Path folder() {
      return Path.of(stdout.strip());
    }

    String program(String name) throws IOException {
      return Files.readString(folder().resolve("bin").resolve(name));
    }
  }

  private Run prepare(String from) throws Exception {
    var builder = new ProcessBuilder(cluster.resolve("prepare").toString());
    var environment = builder.environment();
    environment.remove("KUBEBUILDER_ASSETS");
    environment.put("POLICY_SYNC_CACHE", folder.resolve("cache").toString());
    environment.put("POLICY_SYNC_RELEASES", from);
    environment.merge("PATH", "", (path, _) -> folder.resolve("path") + ":" + path);
    var stderr = folder.resolve("stderr");
    var process = builder.redirectError(stderr.toFile()).start();
    process.getOutputStream().close();
    var stdout = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    return new Run(process.exitValue(), stdout, Files.readString(stderr));
  }

  private void release(String program, String says) {
    releases.put(path(program), script(says, "fetched"));
  }

  private String path(String program) {
    var machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    var system = System.getProperty("os.name").equals("Linux") ? "linux" : "darwin";
    return kubernetes + "/bin/" + system + "/" + machine + "/" + program;
  }

  private void pin() throws Exception {
    var lines = new StringBuilder();
    for (var release : releases.entrySet()) {
      var digest = MessageDigest.getInstance("SHA-256").digest(release.getValue());
      lines.append(HexFormat.of().formatHex(digest)).append("  ").append(release.getKey());
      lines.append('\n');
    }
    Files.writeString(cluster.resolve("releases.sha256"), lines);
  }

  /// A Go that compiles to scripts, and does everything else as the real one.
  private void compiler() throws IOException {
    var etcd = "etcd Version: " + version("etcd", "go.etcd.io/etcd/server/v3").substring(1);
    var go =
        """
        #!/bin/sh
        if [ "$1" != build ]; then
          PATH=${PATH#*:} exec go "$@"
        fi
        while [ "$1" != -o ]; do shift; done
        case $2 in
          */etcd) says='%s' ;;
          */kubectl) says='Client Version: %s' ;;
          *) says='Kubernetes %s' ;;
        esac
        printf '#!/bin/sh\\n# built\\necho "%%s"\\n' "$says" >"$2"
        chmod 755 "$2"
        """
            .formatted(etcd, kubernetes, kubernetes);
    var file = Files.createDirectories(folder.resolve("path")).resolve("go");
    Files.writeString(file, go);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static byte[] script(String says, String origin) {
    return "#!/bin/sh\n# %s\necho '%s'\n".formatted(origin, says).getBytes(UTF_8);
  }

  private static String version(String module, String dependency) throws IOException {
    var required =
        Pattern.compile("(?m)^(?:require)?\\s*" + Pattern.quote(dependency) + " (v\\S+)");
    var matcher = required.matcher(Files.readString(SOURCE.resolve(module).resolve("go.mod")));
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }
}
