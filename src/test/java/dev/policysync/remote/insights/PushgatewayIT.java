package dev.policysync.remote.insights;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.testcluster.RealPushgateway;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The path of a group and the rules of a POST, as a real Pushgateway has them.
class PushgatewayIT {
  private static final Duration LONG = Duration.ofMinutes(3);

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"acme, prod-1", "a b, größe", "a/b, ..", "'%2F', '?x=y&z#'", "'', local"})
  void readsTheNamesThatWeSend(String organization, String cluster) throws IOException {
    try (var gateway = new RealPushgateway(folder)) {
      push(gateway, organization, cluster, "policysync_x 1\n");

      assertThat(gateway.samples())
          .singleElement()
          .asString()
          .contains("cluster=\"" + cluster + "\"")
          .contains("organization=\"" + organization + "\"");
    }
  }

  @Test
  void keepsWhatIsNotSentAgainAndOtherClusters() throws IOException {
    try (var gateway = new RealPushgateway(folder)) {
      push(gateway, "acme", "prod-1", "policysync_x 1\npolicysync_y{state=\"a\"} 1\n");
      push(gateway, "acme", "prod-2", "policysync_x 5\n");
      push(gateway, "acme", "prod-1", "policysync_y{state=\"b\"} 2\n");

      assertThat(gateway.samples())
          .containsExactlyInAnyOrder(
              "policysync_x{cluster=\"prod-1\",instance=\"\",job=\"policy-sync\",organization=\"acme\"}"
                  + " 1",
              "policysync_x{cluster=\"prod-2\",instance=\"\",job=\"policy-sync\",organization=\"acme\"}"
                  + " 5",
              "policysync_y{cluster=\"prod-1\",instance=\"\",job=\"policy-sync\",organization=\"acme\",state=\"b\"}"
                  + " 2");
    }
  }

  private static void push(
      RealPushgateway gateway, String organization, String cluster, String metrics) {
    var grouping = new LinkedHashMap<String, String>();
    grouping.put("organization", organization);
    grouping.put("cluster", cluster);
    try (var connections = Connections.plain(ProxyRules.none())) {
      assertThat(
              new Pushgateway(connections, gateway.url(), grouping, Optional.empty())
                  .push(metrics, "text/plain; version=0.0.4", LONG))
          .isEmpty();
    }
  }
}
