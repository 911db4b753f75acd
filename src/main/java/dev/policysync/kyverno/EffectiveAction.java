package dev.policysync.kyverno;

import dev.policysync.json.Value;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// What is done to a request that breaks a rule: the first override that its namespace matches
/// decides, else one answer for all. An override with a namespaceSelector may match or not, as
/// nothing is known here of a namespace's labels.
///
/// @param overrides in the order in which they are tried: a rule's own before the policy's
/// @param otherwise whether a request that no override matches is blocked
public record EffectiveAction(List<Exemption> overrides, boolean otherwise) {
  /// Whatever breaks the rule is blocked.
  public static final EffectiveAction BLOCKS = new EffectiveAction(List.of(), true);
  /// Nothing is.
  public static final EffectiveAction LETS_PASS = new EffectiveAction(List.of(), false);

  public EffectiveAction {
    overrides = List.copyOf(overrides);
  }

  /// An exception to the rule.
  ///
  /// @param namespaces with `*` and `?` as wildcards; of none it matches none but by its selector
  public record Exemption(boolean blocks, List<String> namespaces, Optional<Value> selector) {
    public Exemption {
      namespaces = List.copyOf(namespaces);
    }

    private EnforcementLevel matches(String namespace) {
      var named = namespaces.stream().anyMatch(pattern -> EffectiveAction.like(namespace, pattern));
      if (selector.isEmpty()) {
        return named ? EnforcementLevel.YES : EnforcementLevel.NO;
      }
      return named || namespaces.isEmpty() ? EnforcementLevel.PERHAPS : EnforcementLevel.NO;
    }
  }

  /// What happens in that namespace, or to what lives in none where it is empty.
  public EnforcementLevel in(String namespace) {
    var perhapsBlocked = false;
    var perhapsLetPass = false;
    for (var override : overrides) {
      switch (override.matches(namespace)) {
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
    return otherwise || overrides.stream().anyMatch(Exemption::blocks);
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

  private static boolean like(String namespace, String pattern) {
    var regex = new StringBuilder();
    for (var i = 0; i < pattern.length(); i++) {
      var c = pattern.charAt(i);
      switch (c) {
        case '*' -> regex.append(".*");
        case '?' -> regex.append('.');
        default -> regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return namespace.matches(regex.toString());
  }
}
