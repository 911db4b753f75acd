package dev.policysync.plan.impact;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// A scope change says whether a selection includes more resources than before, or fewer. The
/// decision uses structure alone: the items added to lists and removed from them. If that is not
/// enough, the change is [#CHANGED].
enum ScopeChange {
  SAME,
  WIDER,
  NARROWER,
  /// Includes some more resources and some fewer.
  BOTH,
  CHANGED;

  /// Lists in a resource block that include everything if they are absent.
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

  /// Lists that include only the items that they name.
  private static final Set<String> NAMED = Set.of("apiGroups", "apiVersions", "resources");

  ScopeChange and(ScopeChange other) {
    if (this == SAME || this == other) {
      return other;
    }
    if (other == SAME) {
      return this;
    }
    return this == CHANGED || other == CHANGED ? CHANGED : BOTH;
  }

  /// Returns the change of the resources outside this selection.
  ScopeChange inverse() {
    return switch (this) {
      case WIDER -> NARROWER;
      case NARROWER -> WIDER;
      case SAME, BOTH, CHANGED -> this;
    };
  }

  /// Returns the change of blocks of which at least one has to match.
  static ScopeChange alternatives(List<Value> before, List<Value> after) {
    return alternatives(before, after, scopeChange -> scopeChange);
  }

  /// Returns the change of conditions that all have to hold, so that each added condition selects
  /// less.
  static ScopeChange conditions(List<Value> before, List<Value> after) {
    var gone = minus(before, after);
    var come = minus(after, before);
    if (!gone.isEmpty() && !come.isEmpty()) {
      return CHANGED;
    }
    return come.isEmpty() ? gone.isEmpty() ? SAME : WIDER : NARROWER;
  }

  /// @param sense the effect of an added block: with `any` it widens, with `all` it narrows
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
    // The first block adds a limit, and removing the last block removes it.
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

  /// Returns the change of one block, in which every field has to hold.
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
