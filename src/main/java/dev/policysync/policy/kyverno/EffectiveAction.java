package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is done to a request that breaks a rule: the first override that its namespace matches
/// decides, else one answer for all. An override with a namespaceSelector may match or not, as
/// nothing is known here of a namespace's labels.
///
/// @param overrides in the order in which they are tried: a rule's own before the policy's
/// @param otherwise whether a request that no override matches is blocked
public record EffectiveAction(List<ActionOverride> overrides, boolean otherwise) {
  /// Whatever breaks the rule is blocked.
  public static final EffectiveAction BLOCKS = new EffectiveAction(List.of(), true);

  /// Nothing is.
  public static final EffectiveAction LETS_PASS = new EffectiveAction(List.of(), false);

  public EffectiveAction {
    overrides = List.copyOf(overrides);
  }

  /// Of statements of which the first that holds decides; where none does, nothing is blocked.
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
  /// @param namespaces with `*` and `?` as wildcards; where there are none, only the selector tells
  /// @param selector of namespaces, by their labels; with neither it holds everywhere
  public record ActionOverride(boolean blocks, List<String> namespaces, Optional<Value> selector) {
    public ActionOverride {
      namespaces = List.copyOf(namespaces);
    }

    boolean holdsEverywhere() {
      return namespaces.isEmpty() && selector.isEmpty();
    }

    /// Whether it is for that namespace.
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

  /// What happens in that namespace, or to what lives in none where it is empty.
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

  /// Whether there may be a namespace in which it blocks.
  public boolean blocksSomewhere() {
    return otherwise || overrides.stream().anyMatch(ActionOverride::blocks);
  }

  /// The same as seen from one namespace, where that is all the policy ever sees.
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
