package dev.policysync.bench;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How many times faster a scenario is than something else.
///
/// @param scenario the agent's own: `first-100`
record Comparison(String scenario, Yardstick yardstick, Demand demand) {
  /// Requests that change policies, unless `CONCURRENCY` says otherwise.
  private static final int AT_ONCE = 4;

  /// What it is compared with.
  sealed interface Yardstick {
    /// The Go agent that this one replaces, with the kubectl that it calls. It was measured once,
    /// on the same kind of machine and cluster, but not in the same run.
    record GoAgent(Duration wall) implements Yardstick {}

    /// Another scenario of the same run.
    record SameRun(String scenario) implements Yardstick {}

    /// What Kyverno's webhook took for all policies of the scenario itself, so many of them at
    /// once.
    record KyvernosOwnTime(int atOnce) implements Yardstick {}
  }

  /// What it must come to.
  sealed interface Demand {
    record Nothing() implements Demand {}

    record TimesFaster(int atLeast) implements Demand {}

    record TimesAsLong(double atMost) implements Demand {}
  }

  static List<Comparison> all() {
    return List.of(
        goAgent("noop-0", 240, 0),
        goAgent("noop-1", 700, 0),
        goAgent("noop-100", 42_000, 60),
        goAgent("noop-1000", 520_000, 0),
        goAgent("first-100", 16_500, 10),
        goAgent("first-1000", 182_000, 10),
        atMost("first-100", "kubectl-first-100", 1),
        atMost("first-1000", "kubectl-first-1000", 0.5),
        sameRun("noop-100", "kubectl-again-100"),
        sameRun("noop-1000", "kubectl-again-1000"),
        // A hundred milliseconds to the remote API are to cost next to nothing.
        atMost("first-100-far", "first-100-http2", 1.1),
        atMost("first-1000-far", "first-1000-http2", 1.1),
        atMost("kyverno-first-300", "kyverno-kubectl-300", 0.5),
        new Comparison(
            "kyverno-dry-run-300",
            new Yardstick.KyvernosOwnTime(AT_ONCE),
            new Demand.TimesAsLong(1.1)));
  }

  private static Comparison goAgent(String scenario, long millis, int atLeast) {
    return new Comparison(
        scenario, new Yardstick.GoAgent(Duration.ofMillis(millis)), faster(atLeast));
  }

  private static Comparison sameRun(String scenario, String other) {
    return new Comparison(scenario, new Yardstick.SameRun(other), new Demand.Nothing());
  }

  private static Comparison atMost(String scenario, String other, double times) {
    return new Comparison(scenario, new Yardstick.SameRun(other), new Demand.TimesAsLong(times));
  }

  private static Demand faster(int atLeast) {
    return atLeast == 0 ? new Demand.Nothing() : new Demand.TimesFaster(atLeast);
  }

  /// A table of those for which both sides were measured.
  static String table(List<Result> results) {
    var table = new Table("what", "policy-sync", "compared with", "takes", "faster", "demanded");
    for (var comparison : all()) {
      var own = wall(results, comparison.scenario);
      var other = comparison.other(results);
      if (own.isPresent() && other.isPresent()) {
        table.row(comparison.cells(own.get(), other.get(), comparison.share(results, other.get())));
      }
    }
    return table.text();
  }

  private Optional<Duration> other(List<Result> results) {
    return switch (yardstick) {
      case Yardstick.GoAgent(var wall) -> Optional.of(wall);
      case Yardstick.SameRun(var id) -> wall(results, id);
      case Yardstick.KyvernosOwnTime(var atOnce) ->
          measured(results, scenario)
              .flatMap(Result.Measured::answers)
              .map(answers -> answers.time().dividedBy(atOnce));
    };
  }

  /// How much of another's time the API server and etcd take on this machine's cores by themselves:
  /// no client of theirs is faster here. Whose policies they wait for is nothing that they do.
  private Optional<Double> share(List<Result> results, Duration other) {
    return yardstick instanceof Yardstick.SameRun
        ? measured(results, scenario)
            .map(own -> own.median().clusterCpu())
            .filter(cluster -> !cluster.isZero())
            .map(cluster ->
                (double) cluster.toNanos()
                    / other.toNanos()
                    / Runtime.getRuntime().availableProcessors())
        : Optional.empty();
  }

  private String[] cells(Duration own, Duration other, Optional<Double> share) {
    var ratio = (double) other.toNanos() / own.toNanos();
    var name =
        switch (yardstick) {
          case Yardstick.GoAgent _ -> "the Go agent, measured earlier";
          case Yardstick.SameRun(var id) -> id + ", same run";
          case Yardstick.KyvernosOwnTime(var atOnce) ->
              "Kyverno's own time, " + atOnce + " policies at once";
        };
    return new String[] {
      scenario,
      Units.seconds(own),
      name,
      Units.seconds(other),
      String.format(Locale.ROOT, "%.1f times", ratio),
      demanded(ratio, share)
    };
  }

  private String demanded(double ratio, Optional<Double> share) {
    return switch (demand) {
      case Demand.Nothing() -> "";
      case Demand.TimesFaster(var atLeast) ->
          "≥ " + atLeast + " times: " + verdict(ratio >= atLeast);
      case Demand.TimesAsLong(var atMost) ->
          "≤ %.1f times as long, is %.2f: %s"
                  .formatted(atMost, 1 / ratio, verdict(1 / ratio <= atMost))
              + share.map("; %.2f for the cluster's CPU alone"::formatted).orElse("");
    };
  }

  private static String verdict(boolean met) {
    return met ? "met" : "**missed**";
  }

  private static Optional<Duration> wall(List<Result> results, String id) {
    return measured(results, id).map(measured -> measured.median().wall());
  }

  private static Optional<Result.Measured> measured(List<Result> results, String id) {
    return results.stream()
        .filter(Result.Measured.class::isInstance)
        .map(Result.Measured.class::cast)
        .filter(result -> result.scenario().id().equals(id))
        .findFirst();
  }
}
