package dev.policysync.realkyverno;

import dev.policysync.base.Value;
import dev.policysync.testcluster.RawApi;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Asks for one pod again and again, persisting nothing, and remembers every answer that is not the
/// right one.
final class Prober implements AutoCloseable {
  private final List<String> wrong = new CopyOnWriteArrayList<>();
  private final AtomicInteger successes = new AtomicInteger();
  private final Thread thread;
  private volatile boolean ended;

  private Prober(RawApi api, String path, Value.Mapping pod, boolean admitted) {
    this.thread =
        Thread.ofPlatform()
            .name("prober")
            .start(() -> {
              while (!ended) {
                var reply = api.post(path, pod);
                if ((reply.status() == 201) == admitted) {
                  successes.incrementAndGet();
                } else {
                  wrong.add(Instant.now() + " " + reply.body().text("message").orElse("admitted"));
                }
              }
            });
  }

  /// Begins at once. It is wrong to refuse the pod.
  static Prober of(RawApi api, String namespace, String pod) {
    return of(api, namespace, WithKyverno.pod(pod, ""), true);
  }

  /// @param admitted whether it is right to admit the pod, or to refuse it
  static Prober of(RawApi api, String namespace, Value.Mapping pod, boolean admitted) {
    return new Prober(api, "/api/v1/namespaces/" + namespace + "/pods?dryRun=All", pod, admitted);
  }

  /// When the API server answered something else, and what.
  List<String> wrong() {
    return List.copyOf(wrong);
  }

  /// Waits for several answers from now on.
  void succeedsAgain() {
    var before = successes.get();
    WithKyverno.await(
        "the prober to go on", () -> successes.get() > before + 10 || !wrong.isEmpty());
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
