package dev.policysync.realkyverno;

import dev.policysync.json.Value;
import dev.policysync.testcluster.RawApi;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Asks for one pod again and again, persisting nothing, and remembers every refusal.
final class Prober implements AutoCloseable {
  private final List<String> refusals = new CopyOnWriteArrayList<>();
  private final AtomicInteger successes = new AtomicInteger();
  private final Thread thread;
  private volatile boolean ended;

  private Prober(RawApi api, String path, Value.Mapping pod) {
    this.thread =
        Thread.ofPlatform()
            .name("prober")
            .start(() -> {
              while (!ended) {
                var reply = api.post(path, pod);
                if (reply.status() == 201) {
                  successes.incrementAndGet();
                } else {
                  refusals.add(Instant.now() + " " + reply.body().text("message").orElse(""));
                }
              }
            });
  }

  /// Begins at once.
  static Prober of(RawApi api, String namespace, String pod) {
    var path = "/api/v1/namespaces/" + namespace + "/pods?dryRun=All";
    return new Prober(api, path, WithKyverno.pod(pod, ""));
  }

  /// What the API server said each time that it refused.
  List<String> refusals() {
    return List.copyOf(refusals);
  }

  /// Waits for several answers from now on.
  void succeedsAgain() {
    var before = successes.get();
    WithKyverno.await(
        "the prober to go on", () -> successes.get() > before + 10 || !refusals.isEmpty());
  }

  @Override
  public void close() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
