package dev.policysync.testcluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Prometheus itself as a process of this machine. Every second it scrapes one Pushgateway.
public final class RealPrometheus implements AutoCloseable {
  private static final String CONFIGURATION =
      """
      global: {scrape_interval: 1s, scrape_timeout: 1s}
      scrape_configs:
        - job_name: pushgateway
          honor_labels: true
          static_configs: [{targets: [GATEWAY]}]
      """;

  private final HttpServerProcess server;

  /// Starts one and waits until it is ready.
  ///
  /// @param program Prometheus, built
  /// @param folder for its configuration, data and log
  /// @param gateway what it scrapes: `http://127.0.0.1:39091`
  public RealPrometheus(Path program, Path folder, URI gateway) throws IOException {
    var configuration = folder.resolve("prometheus.yaml");
    Files.writeString(configuration, CONFIGURATION.replace("GATEWAY", gateway.getAuthority()));
    this.server =
        new HttpServerProcess(
            "Prometheus",
            folder,
            listens ->
                List.of(
                    program.toAbsolutePath().toString(),
                    "--config.file=" + configuration,
                    "--storage.tsdb.path=" + folder.resolve("data"),
                    "--web.listen-address=" + listens));
  }

  /// The answer to a query at that time, as JSON.
  public String query(String expression, Instant at) throws IOException {
    return ask("query?time=" + at.getEpochSecond(), expression);
  }

  /// The answer to a query over that time, as JSON.
  public String query(String expression, Instant from, Instant to, Duration step)
      throws IOException {
    return ask(
        "query_range?start=%d&end=%d&step=%d"
            .formatted(from.getEpochSecond(), to.getEpochSecond(), step.toSeconds()),
        expression);
  }

  @Override
  public void close() {
    server.close();
  }

  private String ask(String what, String expression) throws IOException {
    var reply = server.get("/api/v1/" + what + "&query=" + URLEncoder.encode(expression, UTF_8));
    if (reply.statusCode() != 200) {
      throw new IllegalStateException("Prometheus refused " + expression + ": " + reply.body());
    }
    return reply.body();
  }
}
