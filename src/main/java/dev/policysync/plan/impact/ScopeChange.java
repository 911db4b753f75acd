package dev.policysync.plan.impact;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// How what a selection takes in changes, decided by structure alone: what was added to lists and
/// removed from them. Where that does not decide it, it is [#CHANGED].
enum ScopeChange {
  SAME,
  WIDER,
  NARROWER,
  /// Some more, and some less.
  BOTH,
  CHANGED;

  /// Lists in a resource block that take in everything where they are absent.
  private static final Set<String> LIMITS =
      Set.of(
          "kinds",
          "names",
          "namespaces",
          "operations",
          "subjects",
          "roles",
          "clusterRoles",
          "resourceNames");

  /// Lists that take in only what they name.
  private static final Set<String> NAMED = Set.of("apiGroups", "apiVersions", "resources");

  /// Of both together.
  ScopeChange and(ScopeChange other) {
    if (this == SAME || this == other) {
      return other;
    }
    if (other == SAME) {
      return this;
    }
    return this == CHANGED || other == CHANGED ? CHANGED : BOTH;
  }

  /// Of what is left when this is taken out of everything.
  ScopeChange inverse() {
    return switch (this) {
      case WIDER -> NARROWER;
      case NARROWER -> WIDER;
      case SAME, BOTH, CHANGED -> this;
    };
  }

  /// Of blocks of which one is enough.
  static ScopeChange alternatives(List<Value> before, List<Value> after) {
    return alternatives(before, after, scopeChange -> scopeChange);
  }

  /// Of conditions that all have to hold, and so take in less the more there are.
  static ScopeChange conditions(List<Value> before, List<Value> after) {
    var gone = minus(before, after);
    var come = minus(after, before);
    if (!gone.isEmpty() && !come.isEmpty()) {
      return CHANGED;
    }
    return come.isEmpty() ? gone.isEmpty() ? SAME : WIDER : NARROWER;
  }

  /// @param sense what one more block does: with `any` it widens, with `all` it narrows
  static ScopeChange alternatives(
      List<Value> before, List<Value> after, UnaryOperator<ScopeChange> sense) {
    var gone = minus(before, after);
    var come = minus(after, before);
    if (gone.size() == 1 && come.size() == 1) {
      return gone.getFirst() instanceof Value.Mapping was
              && come.getFirst() instanceof Value.Mapping is
          ? ofBlock(was, is)
          : CHANGED;
    }
    var scopeChange = SAME;
    // The first block of all is a limit where there was none, or the other way round.
    if (before.isEmpty() != after.isEmpty()) {
      return CHANGED;
    }
    if (!come.isEmpty()) {
      scopeChange = scopeChange.and(sense.apply(WIDER));
    }
    if (!gone.isEmpty()) {
      scopeChange = scopeChange.and(sense.apply(NARROWER));
    }
    return scopeChange;
  }

  /// Of one block: all that it says has to hold.
  static ScopeChange ofBlock(Value.Mapping before, Value.Mapping after) {
    var scopeChange = SAME;
    var names = new LinkedHashSet<>(before.fields().keySet());
    names.addAll(after.fields().keySet());
    for (var name : names) {
      scopeChange = scopeChange.and(ofField(name, before.field(name), after.field(name)));
    }
    return scopeChange;
  }

  private static ScopeChange ofField(String name, Optional<Value> before, Optional<Value> after) {
    if (before.equals(after)) {
      return SAME;
    }
    if (name.equals("resources")
        && (before.orElse(Value.Mapping.EMPTY) instanceof Value.Mapping was)
        && (after.orElse(Value.Mapping.EMPTY) instanceof Value.Mapping is)) {
      return ofBlock(was, is);
    }
    if (!isList(before) || !isList(after)) {
      return CHANGED;
    }
    var was = items(before);
    var is = items(after);
    if (LIMITS.contains(name) && (was.isEmpty() || is.isEmpty())) {
      return was.isEmpty() == is.isEmpty() ? SAME : was.isEmpty() ? NARROWER : WIDER;
    }
    if ((LIMITS.contains(name) || NAMED.contains(name)) && !was.isEmpty() && !is.isEmpty()) {
      if (was.contains(EVERYTHING) || is.contains(EVERYTHING)) {
        return was.contains(EVERYTHING) ? is.contains(EVERYTHING) ? SAME : NARROWER : WIDER;
      }
      var scopeChange = minus(is, was).isEmpty() ? SAME : WIDER;
      return minus(was, is).isEmpty() ? scopeChange : scopeChange.and(NARROWER);
    }
    return CHANGED;
  }

  private static final Value EVERYTHING = new Value.Text("*");

  private static boolean isList(Optional<Value> value) {
    return value.isEmpty() || value.get() instanceof Value.Sequence;
  }

  private static List<Value> items(Optional<Value> value) {
    return value.orElse(Value.Null.NULL) instanceof Value.Sequence(var items) ? items : List.of();
  }

  private static List<Value> minus(List<Value> items, List<Value> others) {
    var left = new ArrayList<>(items);
    others.forEach(left::remove);
    return left;
  }
}
