package dev.policysync.impact;

import dev.policysync.yaml.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Collects what makes a policy stricter or milder.
final class Reasons {
  private final List<Reason> found = new ArrayList<>();

  List<Reason> all() {
    return List.copyOf(found);
  }

  void add(Direction direction, Optional<String> rule, String text, Evidence evidence) {
    found.add(Reason.of(direction, rule, text, evidence));
  }

  /// What another selection brings. Who is let through from now on was not blocked before where
  /// nobody was.
  void addAll(Reasons selection, boolean blockedBefore) {
    selection.found.stream()
        .filter(reason -> blockedBefore || reason.direction().mayTighten())
        .forEach(found::add);
  }

  /// Another answer to a request that breaks the rule.
  void ruling(Optional<String> rule, Ruling before, Ruling after) {
    var stricter = new Reach(before, after);
    if (stricter.anywhere()) {
      var text = "Audit → Enforce" + stricter.text();
      found.add(new Reason(Direction.TIGHTENS, rule, text, Evidence.REPORTS, stricter));
    }
    var milder = new Reach(after, before);
    if (milder.anywhere()) {
      var text = "Enforce → Audit" + milder.text();
      found.add(new Reason(Direction.LOOSENS, rule, text, Evidence.NOT_NEEDED, milder));
    }
  }

  /// Another selection of what is judged, such as `match`.
  ///
  /// @param what `match`
  void width(Optional<String> rule, Width width, String what) {
    switch (width) {
      case SAME -> {}
      case WIDER -> add(Direction.TIGHTENS, rule, what + " takes in more", Evidence.NONE);
      case NARROWER -> add(Direction.LOOSENS, rule, what + " takes in less", Evidence.NOT_NEEDED);
      case BOTH -> {
        add(Direction.TIGHTENS, rule, what + " takes in something more", Evidence.NONE);
        add(Direction.LOOSENS, rule, what + " takes in something less", Evidence.NOT_NEEDED);
      }
      case CHANGED -> changed(rule, what);
    }
  }

  /// Another selection of what is left alone.
  void exclusion(Optional<String> rule, Width width, String what) {
    switch (width) {
      case SAME -> {}
      case WIDER -> add(Direction.LOOSENS, rule, what + " spares more", Evidence.NOT_NEEDED);
      case NARROWER -> add(Direction.TIGHTENS, rule, what + " spares less", Evidence.NONE);
      case BOTH -> {
        add(Direction.TIGHTENS, rule, what + " spares something no more", Evidence.NONE);
        add(Direction.LOOSENS, rule, what + " spares something new", Evidence.NOT_NEEDED);
      }
      case CHANGED -> changed(rule, what);
    }
  }

  /// Something of which nobody can tell which way it goes.
  void changed(Optional<String> rule, String what) {
    add(Direction.CHANGED, rule, what + " changed", Evidence.NONE);
  }

  void changed(Optional<String> rule, String what, Value before, Value after) {
    if (!before.equals(after)) {
      changed(rule, what);
    }
  }

  /// What becomes of a request that nobody could judge: it concerns no workload as it is.
  void failurePolicy(boolean failsBefore, boolean failsAfter) {
    if (failsBefore != failsAfter) {
      add(
          failsAfter ? Direction.TIGHTENS : Direction.LOOSENS,
          Optional.empty(),
          failsAfter
              ? "failurePolicy Ignore → Fail: while it cannot be judged, a request is refused"
              : "failurePolicy Fail → Ignore: while it cannot be judged, a request passes",
          Evidence.NOT_NEEDED);
    }
  }
}
