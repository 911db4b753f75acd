package dev.policysync.base;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ParallelTest {
  @Test
  void keepsTheOrderOfTheItems() {
    var lengths = Parallel.map(List.of("three", "a", "to"), 2, "counting", String::length);

    assertThat(lengths).containsExactly(entry("three", 5), entry("a", 1), entry("to", 2));
    assertThat(Parallel.map(List.<String>of(), 2, "counting", String::length)).isEmpty();
  }

  @Test
  void worksOnSeveralAtOnce() {
    var both = new CyclicBarrier(2);

    var met =
        Parallel.map(
            List.of(1, 2),
            2,
            "meeting",
            _ -> {
              try {
                return both.await(1, TimeUnit.MINUTES) >= 0;
              } catch (Exception e) {
                throw new IllegalStateException("nobody came", e);
              }
            });

    assertThat(met).containsEntry(1, true).containsEntry(2, true);
  }

  @Test
  void throwsWhatTheWorkThrew() {
    var failure = new UnsupportedOperationException("no");
    var error = new AssertionError("no");

    assertThatThrownBy(() -> Parallel.result(CompletableFuture.failedFuture(failure), "trying"))
        .isSameAs(failure);
    assertThatThrownBy(() -> Parallel.result(CompletableFuture.failedFuture(error), "trying"))
        .isSameAs(error);
    assertThatIllegalStateException()
        .isThrownBy(
            () -> Parallel.result(CompletableFuture.failedFuture(new Exception("no")), "trying"))
        .withMessage("trying failed");
  }

  @Test
  void staysInterrupted() {
    Thread.currentThread().interrupt();

    assertThatIllegalStateException()
        .isThrownBy(() -> Parallel.result(new CompletableFuture<>(), "reading policies"))
        .withMessage("interrupted while reading policies");
    assertThat(Thread.interrupted()).isTrue();
  }
}
