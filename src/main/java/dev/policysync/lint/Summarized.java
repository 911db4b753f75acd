package dev.policysync.lint;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reduces findings that are reported once per run: the first finding of each hazard and severity
/// represents the others, and gives the number of policies. Errors are not reduced.
final class Summarized {
  private Summarized() {}

  static List<LintFinding> summarize(List<LintFinding> findings, Set<String> onceARun) {
    Map<Key, Set<String>> policies =
        findings.stream()
            .filter(finding -> isSummed(finding, onceARun))
            .collect(
                groupingBy(
                    Key::of,
                    mapping(
                        finding -> finding.position().source() + " " + finding.policy(), toSet())));
    Set<Key> reported = new HashSet<>();
    var summarized = new ArrayList<LintFinding>();
    for (var finding : findings) {
      if (!isSummed(finding, onceARun)) {
        summarized.add(finding);
      } else if (reported.add(Key.of(finding))) {
        summarized.add(counted(finding, policies.getOrDefault(Key.of(finding), Set.of()).size()));
      }
    }
    return summarized;
  }

  private record Key(String hazard, LintSeverity severity) {
    private static Key of(LintFinding finding) {
      return new Key(finding.hazard().id(), finding.lintSeverity());
    }
  }

  private static boolean isSummed(LintFinding finding, Set<String> onceARun) {
    return onceARun.contains(finding.hazard().id()) && finding.lintSeverity() != LintSeverity.ERROR;
  }

  private static LintFinding counted(LintFinding first, int policies) {
    return policies == 1
        ? first
        : new LintFinding(
            first.hazard(),
            first.lintSeverity(),
            first.id(),
            first.policy(),
            first.position(),
            first.path(),
            first.message() + "; " + policies + " policies have this finding",
            first.fix());
  }
}
