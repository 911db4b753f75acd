package dev.policysync.corpus;

import dev.policysync.lint.LintFinding;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.Linter;
import dev.policysync.lint.rules.Catalogue;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Position;
import dev.policysync.policy.feed.FilePolicySource;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.policy.kyverno.KyvernoVersion;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Judges the policies of a folder and counts. Its output has a line for each figure and one for
/// each rule: `PS013 warning 12 files`.
final class Corpus {
  private final Linter linter;
  private final boolean verbose;
  private final Set<String> files = new HashSet<>();
  private final Map<String, Set<String>> filesByRule = new TreeMap<>();
  private final Map<LintSeverity, Set<String>> filesBySeverity = new TreeMap<>();

  private Corpus(Linter linter, boolean verbose) {
    this.linter = linter;
    this.verbose = verbose;
  }

  static void main(String[] arguments) {
    var words = new ArrayList<>(List.of(arguments));
    var verbose = words.remove("-v");
    var each = words.remove("--each");
    Optional<KyvernoVersion> version =
        words.size() > 1 ? KyvernoVersion.parse(words.get(1)) : Optional.empty();
    var corpus = new Corpus(new Linter(Catalogue.rules(), version), verbose);
    var manifests = new FilePolicySource(words.getFirst(), InputStream::nullInputStream).read();
    if (each) {
      manifests.forEach(manifest -> corpus.judge(List.of(manifest)));
    } else {
      corpus.judge(manifests);
    }
    corpus.print();
  }

  private void judge(List<Manifest> manifests) {
    var written = PolicyReader.readLocated(manifests);
    Stream.concat(
            written.policies().stream().map(policy -> policy.position()),
            written.unreadable().stream().map(document -> document.positions().getFirst()))
        .map(Position::source)
        .forEach(files::add);
    for (var finding : linter.judge(written).findings()) {
      var file = finding.position().source();
      filesBySeverity.computeIfAbsent(finding.lintSeverity(), _ -> new HashSet<>()).add(file);
      filesByRule
          .computeIfAbsent(
              finding.hazard().id() + "  " + finding.lintSeverity().text(), _ -> new HashSet<>())
          .add(file);
      if (verbose && finding.lintSeverity().atLeast(LintSeverity.WARNING)) {
        print(finding);
      }
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
    System.out.println("files  " + files.size());
    for (var severity : LintSeverity.values()) {
      var count = filesBySeverity.getOrDefault(severity, Set.of()).size();
      System.out.printf(
          "files with %s  %d  (%.1f %%)%n",
          severity == LintSeverity.ERROR ? "an error" : "a " + severity.text(),
          count,
          100.0 * count / Math.max(1, files.size()));
    }
    filesByRule.forEach((rule, found) -> System.out.println(rule + "  " + found.size() + " files"));
  }
}
