package dev.policysync.sync;

import dev.policysync.base.HeapBudget;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.feed.FeedProblem;
import dev.policysync.sync.SyncResult.Finished;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.succession.ClusterConversions;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Finds out how the feed's policies that Kyverno 1.20 no longer executes would be converted in
/// this cluster. This happens after all writes, when the Lease is released: no write waits for the
/// preview or fails because of it. The preview only adds its list to the result of the run.
final class ConversionPreview {
  private final Optional<ClusterConversions> conversions;
  private final Cancellation stop;
  private final Progress progress;
  private @Nullable Remembered remembered;

  private record Remembered(
      Feed feed, Supplier<ExpectedPolicies> expectedPolicies, ActualPolicies actualPolicies) {}

  /// @param conversions converts the policies; if empty, no feed is remembered
  ConversionPreview(
      Optional<ClusterConversions> conversions, Cancellation stop, Progress progress) {
    this.conversions = conversions;
    this.stop = stop;
    this.progress = progress;
  }

  void remember(
      Feed feed, Supplier<ExpectedPolicies> expectedPolicies, ActualPolicies actualPolicies) {
    if (conversions.isPresent()) {
      remembered = new Remembered(feed, expectedPolicies, actualPolicies);
    }
  }

  /// Drops the remembered feed before the feed is read again: two feeds at a time take a large part
  /// of the heap.
  void forget() {
    remembered = null;
  }

  /// Returns the result with the conversions of the remembered feed, if there is one.
  SyncResult addTo(SyncResult result) {
    var feed = remembered;
    forget();
    return conversions.isPresent() && feed != null && result instanceof Finished run
        ? added(run, feed, conversions.get())
        : result;
  }

  private Finished added(Finished run, Remembered now, ClusterConversions asked) {
    if (stop.reason().isPresent()) {
      return leftOut(run, stop.reason().get().toString());
    }
    progress.step("converting policies of kyverno.io");
    try {
      var found = asked.of(now.feed(), now.expectedPolicies().get(), now.actualPolicies());
      var stopped = stop.reason();
      return stopped.isPresent() ? leftOut(run, stopped.get().toString()) : run.converting(found);
    } catch (FeedProblem e) {
      return leftOut(run, e.reason());
    } catch (ClusterUnavailable e) {
      return leftOut(run, e.failure().reason());
    } catch (OutOfMemoryError _) {
      return leftOut(run, "out of memory; " + HeapBudget.ofThisProcess().adviceToDouble());
    }
  }

  private static Finished leftOut(Finished run, String reason) {
    return run.remarking("no conversion preview (CONVERT=preview): " + reason);
  }
}
