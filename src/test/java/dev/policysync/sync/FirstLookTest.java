package dev.policysync.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.feed.PolicySource;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.state.RunStateStore.Stored;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class FirstLookTest {
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

    var firstLook =
        FirstLook.of(
            source,
            false,
            new FakePolicyStore()::list,
            () -> {
              await(feedRead);
              return Stored.NOTHING;
            });

    assertThat(firstLook.feed()).isPresent();
    assertThat(firstLook.stored()).isEqualTo(Stored.NOTHING);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
