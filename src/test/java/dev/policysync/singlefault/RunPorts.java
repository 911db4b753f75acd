package dev.policysync.singlefault;

import dev.policysync.policy.feed.PolicySource;
import dev.policysync.sync.EventSink;
import dev.policysync.sync.PolicyStatus;
import dev.policysync.sync.RunStateStore;
import dev.policysync.sync.StatusSink;
import dev.policysync.sync.SyncLock;
import dev.policysync.sync.SyncOptions;
import dev.policysync.sync.SyncPorts;
import dev.policysync.sync.Synchronizer;
import dev.policysync.sync.analysis.ExecutionSource;
import dev.policysync.sync.analysis.PolicyLinter;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.WriteMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// One run's way to a [World]: every request goes over its [RequestLog]. Feed, statuses and reports
/// are in memory in each of them.
abstract class RunPorts {
  protected final InTurn turns;
  private final World world;
  private final RequestLog requestLog;

  RunPorts(World world, RequestLog requestLog) {
    this.world = world;
    this.requestLog = requestLog;
    this.turns = new InTurn(world.scenario.kinds());
  }

  abstract PolicyStore store();

  abstract SyncLock lock();

  abstract RunStateStore memory();

  private PolicySource source() {
    return () ->
        turns.feed(() -> {
          var scenarioFeed =
              requestLog.read("FEED", Subject.Other.FEED, world::feed, world::earlierFeed);
          requestLog.given(scenarioFeed);
          return scenarioFeed.manifests();
        });
  }

  private StatusSink statuses() {
    return _ -> new Telling();
  }

  private ViolationSource reports() {
    return asked ->
        world.reported(
            requestLog.read(
                "REPORTS", Subject.Other.REPORTS, world::failing, world::earlierFailing),
            asked);
  }

  /// Tells each status at the moment when the run hands it over.
  private final class Telling implements StatusSink.Transmission {
    private final List<PolicyStatus> notTaken = new ArrayList<>();

    @Override
    public void send(PolicyStatus status, Supplier<String> body) {
      notTaken.addAll(
          requestLog.write(
              "TELL " + status.name(),
              Subject.Other.STATUSES,
              () -> tell(status),
              _ -> List.of(status)));
    }

    private List<PolicyStatus> tell(PolicyStatus status) {
      world.writeJudge.told(requestLog, status);
      return world.tell(List.of(status));
    }

    @Override
    public List<PolicyStatus> end() {
      return notTaken;
    }
  }

  final Synchronizer synchronizer() {
    return new Synchronizer(
        new SyncPorts(
            source(),
            store(),
            lock(),
            memory(),
            Optional.of(statuses()),
            EventSink.NONE,
            PolicyLinter.NONE,
            reports(),
            ExecutionSource.UNKNOWN,
            world.conversions()),
        new SyncOptions(
            world.plannerOptions(),
            WriteMode.LIVE,
            false,
            1,
            Duration.ofSeconds(65),
            "0.1.0",
            Optional.empty()),
        new Cancellation(Duration.ofMinutes(4), world.time::nanoTime),
        world.time.clock(),
        Progress.NONE);
  }
}
