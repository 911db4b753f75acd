package dev.policysync.cli.lint;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.base.Value.Mapping;
import dev.policysync.base.Value.Numeric;
import dev.policysync.cli.Documentation;
import dev.policysync.lint.LintFinding;
import dev.policysync.lint.LintResult;
import dev.policysync.lint.LintSeverity;
import java.util.stream.Stream;

/// The lint findings as one line of JSON. The field names are part of the program's interface.
final class LintJson {
  private LintJson() {}

  /// @param policies the number of linted policies
  static String write(LintResult lintResult, int policies) {
    var suppressed =
        lintResult.suppressed().stream()
            .map(one -> finding(one.lintFinding()).with("reason", one.reason()));
    return Json.write(
        Mapping.EMPTY
            .with("policies", Numeric.of(policies))
            .with("errors", Numeric.of(lintResult.count(LintSeverity.ERROR)))
            .with("warnings", Numeric.of(lintResult.count(LintSeverity.WARNING)))
            .with("notes", Numeric.of(lintResult.count(LintSeverity.NOTE)))
            .with("skipped", Numeric.of(lintResult.skipped().size()))
            .with("findings", list(lintResult.findings().stream().map(LintJson::finding)))
            .with("suppressed", list(suppressed)));
  }

  private static Value list(Stream<Mapping> items) {
    return new Value.Sequence(items.<Value>map(item -> item).toList());
  }

  private static Mapping finding(LintFinding finding) {
    var hazard = finding.hazard();
    var position = finding.position();
    return Mapping.EMPTY
        .with("id", hazard.id())
        .with("severity", finding.lintSeverity().text())
        .with("policy", finding.policy())
        .with("file", position.source())
        .with("document", Numeric.of(position.document()))
        .with("line", Numeric.of(position.line()))
        .with("column", Numeric.of(position.column()))
        .with("path", finding.path())
        .with("title", hazard.title())
        .with("message", finding.message())
        .with("fix", finding.fix())
        .with("kyverno", hazard.affectedVersions().toString())
        .with("page", Documentation.url(hazard.page()));
  }
}
