package dev.policysync.testcluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/// Prometheus' own Pushgateway as a process of this machine, and what Prometheus would scrape.
public final class RealPushgateway implements AutoCloseable {
  private final HttpServerProcess server;

  /// Starts one and waits until it is ready.
  ///
  /// @param folder for its log
  public RealPushgateway(Path folder) throws IOException {
    var program = PrometheusAssets.find().pushgateway().toString();
    this.server =
        new HttpServerProcess(
            "the Pushgateway",
            folder,
            listens -> List.of(program, "--web.listen-address=" + listens));
  }

  /// `http://127.0.0.1:39091`.
  public URI url() {
    return server.url();
  }

  /// The samples of the agent, a line each, with the labels of their group, in its order.
  public List<String> samples() {
    try {
      return server
          .get("/metrics")
          .body()
          .lines()
          .filter(line -> line.startsWith("policysync_"))
          .collect(Collectors.toList());
    } catch (IOException e) {
      throw new IllegalStateException("the Pushgateway does not answer", e);
    }
  }

  /// The value of that sample, such as `policysync_policies{…}`.
  public double value(String sample) {
    return samples().stream()
        .filter(line -> line.startsWith(sample + " "))
        .map(line -> Double.parseDouble(line.substring(sample.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + sample + " in " + samples()));
  }

  /// Lets it stand still until that is closed: it takes connections and answers nothing.
  public Stall stall() {
    return server.process().stall();
  }

  @Override
  public void close() {
    server.close();
  }
}
