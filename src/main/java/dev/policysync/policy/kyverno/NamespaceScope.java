package dev.policysync.policy.kyverno;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// The namespaces in which one action is stricter than another.
///
/// @param from the more lenient action
/// @param to the stricter action
public record NamespaceScope(EffectiveAction from, EffectiveAction to) {
  /// A namespace name that only a pattern for all namespaces matches.
  private static final String ELSEWHERE = "\u0001";

  private static final int NAMED = 5;

  public static final NamespaceScope EVERYWHERE =
      new NamespaceScope(EffectiveAction.LETS_PASS, EffectiveAction.BLOCKS);

  /// Returns whether more requests may be blocked in that namespace.
  public boolean includes(String namespace) {
    return to.in(namespace) != EnforcementLevel.NO
        && from.in(namespace) != EnforcementLevel.YES
        && !from.equals(to);
  }

  /// Returns whether there may be a namespace in which more requests are blocked.
  public boolean anywhere() {
    return includes(ELSEWHERE) || includes("") || patterns().stream().anyMatch(this::includesAnyOf);
  }

  /// Returns the namespaces as text: empty for all of them, otherwise ` in shop, pay-*` or ` except
  /// in kube-system`.
  public String text() {
    var inside = new ArrayList<String>();
    var outside = new ArrayList<String>();
    patterns().forEach(pattern -> (includesAnyOf(pattern) ? inside : outside).add(pattern));
    var selected = selects(from) || selects(to) ? " (depending on a namespaceSelector)" : "";
    if (includes(ELSEWHERE)) {
      return (outside.isEmpty() ? "" : " except in " + list(outside)) + selected;
    }
    return (inside.isEmpty() ? "" : " in " + list(inside)) + selected;
  }

  private List<String> patterns() {
    var patterns = new LinkedHashSet<String>();
    for (var effectiveAction : List.of(from, to)) {
      effectiveAction.overrides().forEach(override -> patterns.addAll(override.namespaces()));
    }
    return List.copyOf(patterns);
  }

  /// Tests two names that the pattern matches: the shortest one, and one with a character for each
  /// wildcard.
  private boolean includesAnyOf(String pattern) {
    return includes(pattern.replace("*", "").replace('?', 'x'))
        || includes(pattern.replace('*', 'x').replace('?', 'x'));
  }

  private static boolean selects(EffectiveAction effectiveAction) {
    return effectiveAction.overrides().stream()
        .anyMatch(override -> override.selector().isPresent());
  }

  private static String list(List<String> names) {
    var few = String.join(", ", names.subList(0, Math.min(NAMED, names.size())));
    return names.size() > NAMED ? few + " and " + (names.size() - NAMED) + " more" : few;
  }
}
