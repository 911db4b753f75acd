package dev.policysync.corpus;

import dev.policysync.kyverno.KyvernoVersion;
import dev.policysync.lint.LintFinding;
import dev.policysync.lint.LintResult;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.Linter;
import dev.policysync.lint.rules.Catalogue;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.FilePolicySource;
import dev.policysync.policy.feed.PolicyReader;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Judges each file of a folder by itself, and counts.
///
/// Its output has a line for each figure and one for each rule: `PS013  warning  12 files`, and
/// with `-v` one for each error and warning.
final class Corpus {
  private final Linter linter;
  private final boolean verbose;
  private final Map<String, Integer> filesByRule = new TreeMap<>();
  private final Map<LintSeverity, Integer> filesBySeverity = new TreeMap<>();
  private int files;

  private Corpus(Linter linter, boolean verbose) {
    this.linter = linter;
    this.verbose = verbose;
  }

  static void main(String[] arguments) {
    var words = new ArrayList<>(List.of(arguments));
    var verbose = words.remove("-v");
    Optional<KyvernoVersion> version =
        words.size() > 1 ? KyvernoVersion.parse(words.get(1)) : Optional.empty();
    var corpus = new Corpus(new Linter(Catalogue.rules(), version), verbose);
    new FilePolicySource(words.getFirst(), InputStream::nullInputStream).read().forEach(corpus::add);
    corpus.print();
  }

  private void add(Manifest manifest) {
    var written = PolicyReader.readLocated(List.of(manifest));
    if (written.policies().isEmpty() && written.unreadable().isEmpty()) {
      return;
    }
    files++;
    LintResult found = linter.judge(written);
    for (var severity : LintSeverity.values()) {
      if (found.count(severity) > 0) {
        filesBySeverity.merge(severity, 1, Integer::sum);
      }
    }
    found.findings().stream()
        .map(finding -> finding.hazard().id() + "  " + finding.lintSeverity().text())
        .collect(Collectors.toSet())
        .forEach(rule -> filesByRule.merge(rule, 1, Integer::sum));
    if (verbose) {
      found.findings().stream()
          .filter(finding -> finding.lintSeverity().atLeast(LintSeverity.WARNING))
          .forEach(Corpus::print);
    }
  }

  private static void print(LintFinding finding) {
    System.out.println(
        finding.lintSeverity().text()
            + "  "
            + finding.hazard().id()
            + "  "
            + finding.position()
            + "  "
            + finding.message());
  }

  private void print() {
    System.out.println("files  " + files);
    for (var severity : LintSeverity.values()) {
      var count = filesBySeverity.getOrDefault(severity, 0);
      System.out.printf(
          "with %s  %d  (%.1f %%)%n",
          severity == LintSeverity.ERROR ? "an error" : "a " + severity.text(),
          count,
          100.0 * count / Math.max(1, files));
    }
    filesByRule.forEach((rule, count) -> System.out.println(rule + "  " + count));
  }
}
