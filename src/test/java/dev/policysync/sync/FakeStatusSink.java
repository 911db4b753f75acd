package dev.policysync.sync;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// A remote API in memory, which says at a run's end which of its statuses it does not take.
public final class FakeStatusSink implements StatusSink {
  private final UnaryOperator<List<PolicyStatus>> notTaken;
  private final Map<String, String> bodies = new ConcurrentHashMap<>();
  private Runnable onEach = () -> {};

  /// @param notTaken which of a run's statuses, in the order in which they came
  public FakeStatusSink(UnaryOperator<List<PolicyStatus>> notTaken) {
    this.notTaken = notTaken;
  }

  /// Does that whenever a status arrives.
  public void onEach(Runnable action) {
    onEach = action;
  }

  /// The last body of each name.
  public Map<String, String> bodies() {
    return bodies;
  }

  @Override
  public Transmission begin(int atMost) {
    var statuses = new ArrayList<PolicyStatus>();
    return new Transmission() {
      @Override
      public synchronized void send(PolicyStatus status, Supplier<String> body) {
        statuses.add(status);
        bodies.put(status.name(), body.get());
        onEach.run();
      }

      @Override
      public synchronized List<PolicyStatus> end() {
        if (statuses.size() > atMost) {
          throw new IllegalStateException(statuses.size() + " statuses, announced " + atMost);
        }
        return statuses.isEmpty() ? List.of() : notTaken.apply(List.copyOf(statuses));
      }
    };
  }
}
