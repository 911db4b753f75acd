package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The action for a request that breaks a rule. The first override that matches the request's
/// namespace decides; without one, `otherwise` decides. Whether an override with a
/// namespaceSelector matches is unknown, because the labels of namespaces are not known here.
///
/// @param overrides in the order in which they are tried: a rule's own before the policy's
/// @param otherwise whether a request that no override matches is blocked
public record EffectiveAction(List<ActionOverride> overrides, boolean otherwise) {
  public static final EffectiveAction BLOCKS = new EffectiveAction(List.of(), true);

  public static final EffectiveAction LETS_PASS = new EffectiveAction(List.of(), false);

  public EffectiveAction {
    overrides = List.copyOf(overrides);
  }

  /// Combines statements; the first one that applies decides. If none applies, nothing is blocked.
  static EffectiveAction of(List<ActionStatement> statements) {
    var overrides = new ArrayList<ActionOverride>();
    for (var statement : statements) {
      if (statement.says().holdsEverywhere()) {
        return new EffectiveAction(overrides, statement.says().blocks());
      }
      overrides.add(statement.says());
    }
    return new EffectiveAction(overrides, false);
  }

  /// An action for some namespaces.
  ///
  /// @param namespaces with `*` and `?` as wildcards; if empty, only the selector decides
  /// @param selector selects namespaces by their labels; without namespaces and selector, the
  ///   override applies everywhere
  public record ActionOverride(boolean blocks, List<String> namespaces, Optional<Value> selector) {
    public ActionOverride {
      namespaces = List.copyOf(namespaces);
    }

    boolean holdsEverywhere() {
      return namespaces.isEmpty() && selector.isEmpty();
    }

    /// Returns whether the override applies to this namespace.
    public EnforcementLevel holdsIn(String namespace) {
      var named =
          namespaces.isEmpty()
              || namespaces.stream().anyMatch(pattern -> Glob.matches(pattern, namespace));
      if (!named) {
        return EnforcementLevel.NO;
      }
      return selector.isEmpty() ? EnforcementLevel.YES : EnforcementLevel.PERHAPS;
    }
  }

  /// Returns whether requests in this namespace are blocked; an empty name means resources without
  /// a namespace.
  public EnforcementLevel in(String namespace) {
    var perhapsBlocked = false;
    var perhapsLetPass = false;
    for (var override : overrides) {
      switch (override.holdsIn(namespace)) {
        case NO -> {}
        case PERHAPS -> {
          perhapsBlocked |= override.blocks();
          perhapsLetPass |= !override.blocks();
        }
        case YES -> {
          return sum(override.blocks(), perhapsBlocked, perhapsLetPass);
        }
      }
    }
    return sum(otherwise, perhapsBlocked, perhapsLetPass);
  }

  /// Returns whether there may be a namespace in which requests are blocked.
  public boolean blocksSomewhere() {
    return otherwise || overrides.stream().anyMatch(ActionOverride::blocks);
  }

  /// Returns the action for one namespace, for a policy that applies to that namespace only.
  public EffectiveAction within(Optional<String> namespace) {
    if (namespace.isEmpty()) {
      return this;
    }
    return switch (in(namespace.get())) {
      case NO -> LETS_PASS;
      case PERHAPS -> this;
      case YES -> BLOCKS;
    };
  }

  private static EnforcementLevel sum(
      boolean blocks, boolean perhapsBlocked, boolean perhapsLetPass) {
    if (blocks) {
      return perhapsLetPass ? EnforcementLevel.PERHAPS : EnforcementLevel.YES;
    }
    return perhapsBlocked ? EnforcementLevel.PERHAPS : EnforcementLevel.NO;
  }
}
