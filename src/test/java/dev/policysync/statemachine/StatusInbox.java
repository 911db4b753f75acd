package dev.policysync.statemachine;

import dev.policysync.testcluster.Documents;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The statuses that the remote API has taken. One that was refused or whose sender was dead by
/// then is not among them.
final class StatusInbox {
  private final List<Status> taken = new ArrayList<>();
  private final Map<String, Sender> senders = new HashMap<>();

  /// What the API was told of a name.
  ///
  /// @param source whose API was told
  /// @param at when it was done, to the second
  record Status(String source, String name, String action, boolean success, Instant at) {
    boolean applied() {
      return action.equals("apply");
    }
  }

  /// Expects statuses of that sender over that wire's run.
  synchronized void open(
      String userAgent, FaultyTransport faultyTransport, RunConditions runConditions) {
    var deadly =
        runConditions.faultInjection() instanceof FaultInjection.KilledAtStatus(var at)
            ? at
            : Integer.MAX_VALUE;
    senders.put(userAgent, new Sender(runConditions.source(), faultyTransport, deadly));
  }

  synchronized void take(String userAgent, String body) {
    var sender = senders.get(userAgent);
    if (sender == null || sender.faultyTransport.dead()) {
      return;
    }
    var status = Documents.json(body);
    taken.add(
        new Status(
            sender.source,
            status.text("policyName").orElseThrow(),
            status.text("action").orElseThrow(),
            status.text("status").orElseThrow().equals("success"),
            Instant.parse(status.text("lastAppliedAt").orElseThrow())));
    if (++sender.statuses == sender.deadly) {
      sender.faultyTransport.kill();
    }
  }

  synchronized int size() {
    return taken.size();
  }

  /// Those after so many.
  synchronized List<Status> since(int size) {
    return List.copyOf(taken.subList(size, taken.size()));
  }

  private static final class Sender {
    private final String source;
    private final FaultyTransport faultyTransport;
    private final int deadly;
    private int statuses;

    Sender(String source, FaultyTransport faultyTransport, int deadly) {
      this.source = source;
      this.faultyTransport = faultyTransport;
      this.deadly = deadly;
    }
  }
}
