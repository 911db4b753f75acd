package dev.policysync.plan.impact;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.List;
import java.util.Set;

/// Decides from the blocks that Kyverno evaluates how a change of `match` or `exclude` affects the
/// selected resources. A block without conditions selects nothing, in each spelling: `{}`,
/// `{resources: {}}`, `{resources: {names: []}}`.
final class FilterChange {
  /// The operations for which Kyverno evaluates a validating rule that names none.
  private static final Set<Value> USUAL =
      Set.of(new Value.Text("CREATE"), new Value.Text("UPDATE"));

  enum Role {
    MATCH,
    EXCLUDE,
    /// `match` of a PolicyException: without any block it selects everything.
    EXCEPTION
  }

  private FilterChange() {}

  /// The resources that a filter selects.
  ///
  /// @param all whether every block has to match, if there are several
  /// @param blocks empty if the filter selects nothing
  /// @param empty whether `any` has a block that selects nothing
  /// @param sure whether the selection is certain from Kyverno's code
  private record Selection(boolean all, List<Value> blocks, boolean empty, boolean sure) {
    static Selection of(Value.Mapping filter, Role role) {
      var evaluated = ResourceFilter.evaluated(filter);
      var all = evaluated.stream().anyMatch(block -> block.path().contains("all"));
      var blocks =
          evaluated.stream()
              .map(ResourceFilter::conditions)
              .filter(conditions -> !conditions.fields().isEmpty())
              .<Value>map(conditions -> conditions)
              .toList();
      var missing = blocks.size() < evaluated.size();
      var sure =
          evaluated.stream().noneMatch(ResourceFilter::isEmptyListOfUsers)
              && (role != Role.EXCEPTION || !evaluated.isEmpty());
      return new Selection(
          all,
          all && missing ? List.of() : blocks,
          missing && !filter.items("any").isEmpty(),
          sure);
    }

    boolean single() {
      return blocks.size() < 2;
    }
  }

  static ScopeChange between(Value.Mapping before, Value.Mapping after, Role role) {
    var was = Selection.of(before, role);
    var is = Selection.of(after, role);
    if (was.equals(is)) {
      return ScopeChange.SAME;
    }
    if (!was.sure() || !is.sure()) {
      return ScopeChange.CHANGED;
    }
    // Kyverno removes a kind from its webhook if a block of `exclude` names nothing but the kind.
    var hidden = role == Role.EXCLUDE && was.empty() && !is.empty();
    return hidden ? ScopeChange.CHANGED : between(was, is, role);
  }

  private static ScopeChange between(Selection was, Selection is, Role role) {
    if (was.blocks().isEmpty() || is.blocks().isEmpty()) {
      return was.blocks().isEmpty() == is.blocks().isEmpty()
          ? ScopeChange.SAME
          : was.blocks().isEmpty() ? ScopeChange.WIDER : ScopeChange.NARROWER;
    }
    if (was.all() != is.all() && !was.single() && !is.single()) {
      return ScopeChange.CHANGED;
    }
    var all = was.single() ? is.all() : was.all();
    var scopeChange =
        all
            ? ScopeChange.alternatives(was.blocks(), is.blocks(), ScopeChange::inverse)
            : ScopeChange.alternatives(was.blocks(), is.blocks());
    return role == Role.MATCH && otherOperations(was, is)
        ? scopeChange.and(ScopeChange.CHANGED)
        : scopeChange;
  }

  /// Returns whether only one of the two names operations, and they differ from the usual ones.
  private static boolean otherOperations(Selection was, Selection is) {
    var before = operations(was);
    var after = operations(is);
    return before.isEmpty() != after.isEmpty()
        && !(USUAL.containsAll(before) && USUAL.containsAll(after));
  }

  private static List<Value> operations(Selection selection) {
    return selection.blocks().stream()
        .map(Value.Mapping.class::cast)
        .flatMap(block -> block.mapping("resources").items("operations").stream())
        .toList();
  }
}
