package dev.policysync.sync;

import dev.policysync.memory.HeapBudget;
import dev.policysync.policy.Policy;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.feed.FeedProblem;
import dev.policysync.sync.SyncResult.Finished;
import dev.policysync.sync.analysis.PolicyConverter;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.Progress;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Finds out what would become of the feed's policies that Kyverno 1.20 no longer executes. It does
/// so when everything is written and the Lease is given back: no write waits for it or fails by it,
/// and it changes nothing of what a run came to but the list that it adds.
final class ConversionPreview {
  private final Optional<PolicyConverter> policyConverter;
  private final Cancellation stop;
  private final Progress progress;
  private @Nullable Remembered remembered;

  /// A feed, and what was read in it.
  private record Remembered(Feed feed, Supplier<ExpectedPolicies> expectedPolicies) {}

  /// @param policyConverter whom to ask; without one, no feed is remembered
  ConversionPreview(
      Optional<PolicyConverter> policyConverter, Cancellation stop, Progress progress) {
    this.policyConverter = policyConverter;
    this.stop = stop;
    this.progress = progress;
  }

  /// Keeps the feed that the run is about.
  void remember(Feed feed, Supplier<ExpectedPolicies> expectedPolicies) {
    if (policyConverter.isPresent()) {
      remembered = new Remembered(feed, expectedPolicies);
    }
  }

  /// Lets go of it before it is read again: two feeds at a time are a good part of the heap.
  void forget() {
    remembered = null;
  }

  /// The same result, with what would become of the feed's policies where one was remembered.
  SyncResult addedTo(SyncResult result) {
    var feed = remembered;
    forget();
    return policyConverter.isPresent() && feed != null && result instanceof Finished run
        ? added(run, feed, policyConverter.get())
        : result;
  }

  private Finished added(Finished run, Remembered feed, PolicyConverter asked) {
    if (stop.reason().isPresent()) {
      return leftOut(run, stop.reason().get().toString());
    }
    progress.step("converting policies of kyverno.io");
    try {
      var legacy =
          feed.expectedPolicies().get().policies().stream()
              .filter(policy -> policy.id().kind().endsWithKyverno119())
              .sorted(Comparator.comparing(Policy::id))
              .toList();
      var conversions = asked.of(feed.feed(), legacy);
      var stopped = stop.reason();
      return stopped.isPresent()
          ? leftOut(run, stopped.get().toString())
          : run.converting(conversions);
    } catch (FeedProblem e) {
      return leftOut(run, e.reason());
    } catch (OutOfMemoryError _) {
      return leftOut(run, "out of memory; " + HeapBudget.ofThisProcess().doubled());
    }
  }

  private static Finished leftOut(Finished run, String reason) {
    return run.remarking("no conversion preview (CONVERT=preview): " + reason);
  }
}
