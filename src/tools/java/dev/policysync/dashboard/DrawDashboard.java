package dev.policysync.dashboard;

import static dev.policysync.harness.Feeds.clusterPolicy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.policysync.testcluster.RealPrometheus;
import dev.policysync.testcluster.RealPushgateway;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Draws the chart's dashboard into `docs/dashboard.svg`, with the data of some minutes in which
/// the agent synced three clusters. Pushgateway, Prometheus, API servers and agent are real;
/// Grafana is not there.
final class DrawDashboard {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path DASHBOARD = Path.of("chart", "dashboards", "policy-sync.json");
  private static final Path PICTURE = Path.of("docs", "dashboard.svg");
  private static final Duration PAUSE = Duration.ofSeconds(20);
  private static final Duration STEP = Duration.ofSeconds(5);
  private static final int LAST_CHANGE = 8;

  /// The query for the age of a feed looks at every fifth minute of the clock.
  private static final long LOOKS = Duration.ofMinutes(5).toSeconds();

  /// So long before such a look the first run begins: two rounds, all with their first feed.
  private static final long BEFORE_A_LOOK = 45;

  private DrawDashboard() {}

  /// Has the three clusters live for some minutes, and draws what Prometheus saw of it.
  ///
  /// @param args where Prometheus is
  public static void main(String[] args) throws IOException, InterruptedException {
    // Removed with the rest of target; until then the logs of all servers are in it.
    var folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "dashboard");
    try (var gateway = new RealPushgateway(Files.createDirectory(folder.resolve("gateway")));
        var prometheus =
            new RealPrometheus(
                Path.of(args[0]),
                Files.createDirectory(folder.resolve("prometheus")),
                gateway.url());
        var one = new Member("prod-1", folder, gateway.url());
        var two = new Member("prod-2", folder, gateway.url());
        var three = new Member("prod-3", folder, gateway.url())) {
      awaitALook();
      var begin = Instant.now();
      live(one, two, three);
      Files.writeString(PICTURE, draw(prometheus, begin, Instant.now()));
    }
    System.out.println("Drawn: " + PICTURE);
  }

  /// The picture shows a feed that is older than the others if the query sees it twice.
  private static void awaitALook() throws InterruptedException {
    var left = LOOKS - (Instant.now().getEpochSecond() + BEFORE_A_LOOK) % LOOKS;
    System.out.println("The first run begins in " + left + " seconds");
    Thread.sleep(Duration.ofSeconds(left));
  }

  /// What happens in these minutes, a round of runs after each event.
  private static void live(Member one, Member two, Member three)
      throws IOException, InterruptedException {
    var end = Long.MAX_VALUE;
    for (var round = 0; Instant.now().getEpochSecond() < end; round++) {
      switch (round) {
        case 2 -> two.isEdited();
        case 3 -> one.feeds(one.examplesWithout("restrict-ingress-hosts.yaml"));
        case 4 -> three.feeds("{}");
        case 5 -> one.refusesTheToken();
        case 7 -> two.keepsItsOwn("require-requests");
        case LAST_CHANGE -> {
          var refused = clusterPolicy("require-owner", "Audit").replace("true", "perhaps");
          one.feeds(one.examplesWithout("restrict-ingress-hosts.yaml") + "\n---\n" + refused);
          end = (Instant.now().getEpochSecond() / LOOKS + 1) * LOOKS + STEP.toSeconds();
        }
        default -> {}
      }
      if (round > LAST_CHANGE - 3) {
        two.isEdited();
      }
      for (var member : List.of(one, two, three)) {
        member.syncs();
      }
      // The picture's time axis: Prometheus scrapes by the clock of the machine.
      Thread.sleep(PAUSE);
    }
  }

  private static String draw(RealPrometheus prometheus, Instant from, Instant to)
      throws IOException {
    var dashboard = JSON.readTree(DASHBOARD.toFile());
    return new Picture(
            dashboard.path("title").asText(),
            dashboard.path("panels").valueStream().map(Panel::of).toList(),
            target -> Series.of(answer(prometheus, target, from, to)),
            from,
            to,
            STEP)
        .svg();
  }

  private static JsonNode answer(
      RealPrometheus prometheus, Panel.Target target, Instant from, Instant to) {
    try {
      var query = target.ofAllClusters();
      return JSON.readTree(
          target.instant() ? prometheus.query(query, to) : prometheus.query(query, from, to, STEP));
    } catch (IOException e) {
      throw new UncheckedIOException("Prometheus does not answer", e);
    }
  }
}
