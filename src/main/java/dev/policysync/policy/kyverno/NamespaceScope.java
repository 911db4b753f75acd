package dev.policysync.policy.kyverno;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// Where one action is stricter than another, by namespaces.
///
/// @param from the more lenient one
/// @param to the stricter one
public record NamespaceScope(EffectiveAction from, EffectiveAction to) {
  /// A name that no sensible pattern but a general one matches.
  private static final String ELSEWHERE = "\u0001";

  private static final int NAMED = 5;

  /// In all of them.
  public static final NamespaceScope EVERYWHERE =
      new NamespaceScope(EffectiveAction.LETS_PASS, EffectiveAction.BLOCKS);

  /// Whether more may be blocked there.
  public boolean includes(String namespace) {
    return to.in(namespace) != EnforcementLevel.NO
        && from.in(namespace) != EnforcementLevel.YES
        && !from.equals(to);
  }

  /// Whether there may be a namespace where more is blocked.
  public boolean anywhere() {
    return includes(ELSEWHERE) || includes("") || patterns().stream().anyMatch(this::includesAnyOf);
  }

  /// In words: empty for everywhere, else ` in shop, pay-*` or ` but in kube-system`.
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

  /// By names that the pattern matches: what it stands for at its shortest, and with something in
  /// place of each wildcard.
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
