package dev.policysync.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.policysync.sync.SyncLock.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What every [SyncLock] does, the real one and the fake.
public abstract class SyncLockContract {
  private static final Duration LONG = Duration.ofSeconds(65);

  protected final FakeTime time = new FakeTime();
  private final List<SyncLock.Held> everHeld = new ArrayList<>();

  /// One of several locks that exclude each other, for a run of that name, by [#time].
  protected abstract SyncLock lock(String identity);

  /// Lets a held lock's renewal come due.
  protected abstract void renew(SyncLock.Held held);

  /// Puts another holder in place, whoever has the lock.
  protected abstract void seize(String holder);

  /// Who has it; empty where nobody has.
  protected abstract String holder();

  @AfterEach
  void giveBack() {
    everHeld.forEach(SyncLock.Held::close);
  }

  @Test
  void isTakenWhereNobodyHasIt() {
    var attempt = lock("a").acquire(Duration.ZERO);

    assertThat(taken(attempt).stillOurs()).isTrue();
    assertThat(holder()).isEqualTo("a");
  }

  @Test
  void isNotTakenWhileAnotherHasIt() {
    taken(lock("a").acquire(Duration.ZERO));
    var begin = time.nanoTime();

    var attempt = lock("b").acquire(Duration.ofSeconds(10));

    assertThat(attempt)
        .asInstanceOf(type(Attempt.HeldBy.class))
        .returns("a", Attempt.HeldBy::holder);
    assertThat(Duration.ofNanos(time.nanoTime() - begin)).isEqualTo(Duration.ofSeconds(10));
    assertThat(holder()).isEqualTo("a");
  }

  @Test
  void isFreeAtOnceWhenItIsGivenBack() {
    taken(lock("a").acquire(Duration.ZERO)).close();

    var attempt = lock("b").acquire(Duration.ZERO);

    assertThat(taken(attempt).stillOurs()).isTrue();
    assertThat(holder()).isEqualTo("b");
  }

  @Test
  void isTakenByWhoWaitsAsSoonAsItIsGivenBack() {
    var held = taken(lock("a").acquire(Duration.ZERO));
    time.atEachPause(held::close);
    var begin = time.nanoTime();

    var attempt = lock("b").acquire(LONG);

    assertThat(taken(attempt).stillOurs()).isTrue();
    assertThat(Duration.ofNanos(time.nanoTime() - begin)).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void isTakenOverFromAHolderThatDoesNotRenewItForItsWholeDuration() {
    taken(lock("a").acquire(Duration.ZERO));
    time.advance(Duration.ofMinutes(10));
    var begin = time.nanoTime();

    var attempt = lock("b").acquire(LONG);

    assertThat(taken(attempt).stillOurs()).isTrue();
    assertThat(holder()).isEqualTo("b");
    assertThat(Duration.ofNanos(time.nanoTime() - begin)).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void isNotTakenOverFromAHolderThatRenewsIt() {
    var held = taken(lock("a").acquire(Duration.ZERO));
    time.atEachPause(() -> renew(held));

    var attempt = lock("b").acquire(LONG);

    assertThat(attempt)
        .asInstanceOf(type(Attempt.HeldBy.class))
        .returns("a", Attempt.HeldBy::holder);
    assertThat(held.stillOurs()).isTrue();
  }

  @Test
  void goesToExactlyOneOfManyWhoTryAtOnce() throws Exception {
    var start = new CountDownLatch(1);
    try (var threads = Executors.newFixedThreadPool(4)) {
      var attempts =
          Stream.of("a", "b", "c", "d")
              .map(identity -> {
                Callable<Attempt> task =
                    () -> {
                      start.await();
                      return lock(identity).acquire(Duration.ZERO);
                    };
                return threads.submit(task);
              })
              .toList();

      start.countDown();

      for (var attempt : attempts) {
        if (attempt.get() instanceof Attempt.Taken taken) {
          taken(taken);
        }
      }
      assertThat(everHeld).hasSize(1);
    }
  }

  @Test
  void isNotOursAnyMoreOnceAnotherHasIt() {
    var held = taken(lock("a").acquire(Duration.ZERO));
    seize("b");

    renew(held);

    assertThat(held.stillOurs()).isFalse();
    assertThat(holder()).isEqualTo("b");
  }

  @Test
  void isNotCertainlyOursWhenItWasNotRenewedInTime() {
    var held = taken(lock("a").acquire(Duration.ZERO));
    time.advance(Duration.ofSeconds(47));
    var before = held.stillOurs();

    time.advance(Duration.ofSeconds(1));

    assertThat(before).isTrue();
    assertThat(held.stillOurs()).isFalse();
  }

  @Test
  void isNotOursAgainByARenewalThatComesTooLate() {
    var held = taken(lock("a").acquire(Duration.ZERO));
    time.advance(Duration.ofSeconds(48));

    renew(held);

    assertThat(held.stillOurs()).isFalse();
    assertThat(holder()).isEqualTo("a");
  }

  @Test
  void isGivenBackEvenIfItWasNotRenewedInTime() {
    var held = taken(lock("a").acquire(Duration.ZERO));
    time.advance(Duration.ofMinutes(10));
    renew(held);

    held.close();

    assertThat(holder()).isEmpty();
  }

  @Test
  void staysOursAsLongAsItIsRenewed() {
    var held = taken(lock("a").acquire(Duration.ZERO));
    time.advance(Duration.ofSeconds(40));
    renew(held);

    time.advance(Duration.ofSeconds(40));

    assertThat(held.stillOurs()).isTrue();
  }

  @Test
  void leavesTheNewHolderAloneWhenALostOneIsGivenBack() {
    var held = taken(lock("a").acquire(Duration.ZERO));
    seize("b");

    held.close();

    assertThat(holder()).isEqualTo("b");
  }

  protected SyncLock.Held taken(Attempt attempt) {
    if (attempt instanceof Attempt.Taken(var lock)) {
      everHeld.add(lock);
      return lock;
    }
    throw new AssertionError("not taken: " + attempt);
  }
}
