package dev.policysync.testcluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.awaitility.Awaitility;

/// A server of the Prometheus project as a process of this machine.
final class HttpServerProcess implements AutoCloseable {
  private final String name;
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI url;
  private final GuardedProcess process;

  /// Starts it and waits until it is ready.
  ///
  /// @param name for messages: `Prometheus`
  /// @param folder for its log
  /// @param command of the address that it is to listen on: `127.0.0.1:39090`
  HttpServerProcess(String name, Path folder, Function<String, List<String>> command)
      throws IOException {
    this.name = name;
    var listens = "127.0.0.1:" + FreePorts.take(1).getFirst();
    this.url = URI.create("http://" + listens);
    this.process = GuardedProcess.start(folder, command.apply(listens));
    Awaitility.await(name + " to be ready")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(50))
        .failFast(name + " ended while it started", this::requireAlive)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> get("/-/ready").statusCode() == 200);
  }

  /// `http://127.0.0.1:39090`.
  URI url() {
    return url;
  }

  GuardedProcess process() {
    return process;
  }

  HttpResponse<String> get(String path) throws IOException {
    try {
      return client.send(
          HttpRequest.newBuilder(url.resolve(path)).timeout(TimeLimits.WAIT).build(),
          BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while asking " + name, e);
    }
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
}
