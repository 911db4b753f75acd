package dev.policysync.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.feed.PolicySource;
import dev.policysync.sync.execution.FakePolicyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class FirstLookTest {
  private final FakeTime time = new FakeTime();

  /// The memory is let go only by the feed: one that waited for it would wait for ever.
  @Test
  void readsTheFeedThoughTheMemoryIsLateToCome() {
    var feedRead = new CountDownLatch(1);
    var source =
        new PolicySource() {
          @Override
          public List<Manifest> read() {
            return List.of(new Manifest("feed", "kind: x".getBytes(UTF_8)));
          }

          @Override
          public Optional<Feed> feedUnless(Supplier<Optional<Feed.Known>> known) {
            assertThat(known.get()).isEmpty();
            feedRead.countDown();
            return Optional.of(feed());
          }
        };

    var runState = new FakeRunStateStore(time);
    runState.beforeLoad(() -> await(feedRead));

    var firstLook =
        FirstLook.since(
            new SyncPorts(
                source,
                new FakePolicyStore(),
                new FakeSyncLock(new FakeSyncLock.SharedRecord(), "run", time),
                runState,
                Optional.empty(),
                EventSink.NONE),
            () -> {},
            new ArrayList<>(),
            time.clock().instant());

    assertThat(firstLook.feed()).isPresent();
    assertThat(firstLook.complete()).isTrue();
    assertThat(firstLook.stored().state()).isEqualTo(RunState.NONE);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
