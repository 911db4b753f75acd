package dev.policysync.testcluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/// Prometheus' own Pushgateway as a process of this machine, and what Prometheus would scrape.
public final class RealPushgateway implements AutoCloseable {
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI url;
  private final GuardedProcess process;

  /// Starts one and waits until it is ready.
  ///
  /// @param folder for its log
  public RealPushgateway(Path folder) throws IOException {
    var port = FreePorts.take(1).getFirst();
    this.url = URI.create("http://127.0.0.1:" + port);
    this.process =
        GuardedProcess.start(
            folder,
            List.of(
                PrometheusAssets.find().pushgateway().toString(),
                "--web.listen-address=127.0.0.1:" + port));
    Awaitility.await("the Pushgateway to be ready")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(50))
        .failFast("the Pushgateway ended while it started", () -> requireAlive())
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> get("/-/ready").statusCode() == 200);
  }

  /// `http://127.0.0.1:39091`.
  public URI url() {
    return url;
  }

  /// The samples of the agent, a line each, with the labels of their group, in its order.
  public List<String> samples() {
    try {
      return get("/metrics")
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
    return process.stall();
  }

  @Override
  public void close() {
    process.close();
    client.close();
  }

  private void requireAlive() {
    if (!process.alive()) {
      throw new IllegalStateException(process.lastWords());
    }
  }

  private java.net.http.HttpResponse<String> get(String path) throws IOException {
    try {
      return client.send(
          HttpRequest.newBuilder(url.resolve(path)).timeout(TimeLimits.WAIT).build(),
          BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
