package dev.policysync.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The smallest server of docs/api/README.md, as nginx runs it.
class OwnApiIT extends EndToEnd {
  private static final Path PAGE = Path.of("docs", "api", "README.md");
  private static final Pattern CONFIGURATION = Pattern.compile("(?ms)^```nginx\n(.*?)^```$");

  private int port;
  private Process nginx;
  private Path feed;

  @BeforeEach
  void startNginx() throws Exception {
    var programs = new ProcessBuilder("dev/programs", "nginx").inheritIO().start();
    assertThat(programs.waitFor()).isZero();
    port = freePort();
    feed = Files.createDirectories(folder.resolve("srv")).resolve("prod-1.yaml");
    var page = CONFIGURATION.matcher(Files.readString(PAGE));
    assertThat(page.find()).isTrue();
    var server =
        page.group(1)
            .replace("listen 443 ssl;", "listen 127.0.0.1:" + port + ";")
            .replaceAll("(?m)^ *ssl_certificate.*\n", "")
            .replace("/srv/policies/", folder.resolve("srv") + "/");
    assertThat(server).doesNotContain("ssl").contains("127.0.0.1", folder.toString());
    var configuration =
        Files.writeString(
            folder.resolve("nginx.conf"),
            """
            daemon off;
            user root;
            pid %1$s/nginx.pid;
            error_log stderr;
            events {}
            http {
              access_log %1$s/access.log;
              client_body_temp_path %1$s/body;
              proxy_temp_path %1$s/proxy;
              fastcgi_temp_path %1$s/fastcgi;
              uwsgi_temp_path %1$s/uwsgi;
              scgi_temp_path %1$s/scgi;
            %2$s
            }
            """
                .formatted(folder, server));
    nginx =
        new ProcessBuilder(
                "env", "PATH=/usr/sbin:/usr/bin:/bin", "nginx", "-c", configuration.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("nginx.log").toFile())
            .start();
    Awaitility.await("nginx to listen").atMost(TimeLimits.WAIT).until(this::listens);
  }

  @AfterEach
  void stopNginx() throws InterruptedException {
    nginx.destroy();
    nginx.waitFor();
  }

  @Test
  void isEnoughForSyncsAndReports() throws IOException {
    var agent = agentWith("TOKEN-OF-PROD-1");
    Files.writeString(
        feed,
        Feeds.of(
            Feeds.clusterPolicy("team-label", "Audit"), Feeds.clusterPolicy("other", "Audit")));

    var first = agent.run();
    var second = agent.run();
    var report = agent.run("report");

    assertThat(first.exitCode()).as(first.all()).isZero();
    assertThat(first.summary().texts("applied")).hasSize(2);
    assertThat(first.summary().texts("warnings")).isEmpty();
    assertThat(second.exitCode()).as(second.all()).isZero();
    assertThat(second.summary().text("summary"))
        .contains("Applied 0, Updated 0, Removed 0, Failed 0");
    assertThat(report.exitCode()).as(report.all()).isZero();
  }

  @Test
  void needNotSendTheSameFeedAgain() throws IOException {
    var agent = agentWith("TOKEN-OF-PROD-1");
    Files.writeString(feed, Feeds.clusterPolicy("team-label", "Audit"));
    agent.run();
    var earlier = answers().size();

    var same = agent.run();
    var answered = answers().subList(earlier, answers().size());
    Files.writeString(feed, Feeds.clusterPolicy("another", "Audit"));
    var changed = agent.run();

    assertThat(answered).containsExactly("304");
    assertThat(same.exitCode()).as(same.all()).isZero();
    assertThat(same.summary().text("summary"))
        .contains("Applied 0, Updated 0, Removed 0, Failed 0");
    assertThat(changed.summary().texts("applied").toString()).contains("another");
  }

  /// The status of each answer with the feed.
  private List<String> answers() throws IOException {
    return Files.readAllLines(folder.resolve("access.log")).stream()
        .filter(line -> line.contains("\"GET "))
        .map(line -> line.replaceAll(".*\" (\\d{3}) .*", "$1"))
        .toList();
  }

  @Test
  void removesNothingByAnEmptyFileOrNone() throws IOException {
    var agent = agentWith("TOKEN-OF-PROD-1");
    Files.writeString(feed, Feeds.clusterPolicy("team-label", "Audit"));
    agent.run();
    var empty = Files.writeString(folder.resolve("new"), "");
    Files.move(empty, feed, StandardCopyOption.REPLACE_EXISTING);

    var withheld = agent.run();
    Files.delete(feed);
    var missing = agent.run();

    assertThat(withheld.exitCode()).as(withheld.all()).isEqualTo(3);
    assertThat(withheld.summary().items("withheld")).hasSize(1);
    assertThat(missing.exitCode()).as(missing.all()).isEqualTo(1);
    assertThat(missing.all()).contains("returned 404");
  }

  @Test
  void knowsEachClusterByItsToken() throws IOException {
    Files.writeString(feed, Feeds.clusterPolicy("team-label", "Audit"));

    var run = agentWith("TOKEN-OF-PROD-2").run();

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.all()).contains("returned 401");
  }

  private Agent agentWith(String token) {
    return agent
        .with("FAIRWINDS_INSIGHTS_HOST", "http://127.0.0.1:" + port)
        .with("FAIRWINDS_TOKEN", token);
  }

  private boolean listens() {
    assertThat(nginx.isAlive()).as(folder.resolve("nginx.log").toString()).isTrue();
    try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
