package dev.policysync.cli.lint;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.base.Value.Mapping;
import dev.policysync.base.Value.Numeric;
import dev.policysync.base.Value.Sequence;
import dev.policysync.cli.Documentation;
import dev.policysync.cli.ProgramVersion;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFinding;
import dev.policysync.lint.LintResult;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The lint findings as SARIF 2.1.0, which code hosts show beside the lines of a pull request
/// (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>).
final class LintSarif {
  private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

  private LintSarif() {}

  /// @param hazards all hazards that lint can find
  static String write(LintResult lintResult, List<Hazard> hazards) {
    var ids = hazards.stream().map(Hazard::id).toList();
    var results =
        Stream.concat(
            lintResult.findings().stream().map(finding -> result(finding, ids)),
            lintResult.suppressed().stream().map(suppressed -> suppressed(suppressed, ids)));
    return Json.write(
        Mapping.EMPTY
            .with("$schema", SCHEMA)
            .with("version", "2.1.0")
            .with(
                "runs",
                only(
                    Mapping.EMPTY
                        .with("tool", Mapping.EMPTY.with("driver", driver(hazards)))
                        .with("columnKind", "unicodeCodePoints")
                        .with("results", new Sequence(results.toList())))));
  }

  private static Mapping driver(List<Hazard> hazards) {
    return Mapping.EMPTY
        .with("name", "policy-sync")
        .with("version", ProgramVersion.text())
        .with("informationUri", Documentation.REPOSITORY)
        .with("rules", new Sequence(hazards.stream().map(LintSarif::rule).toList()));
  }

  private static Value rule(Hazard hazard) {
    return Mapping.EMPTY
        .with("id", hazard.id())
        .with("shortDescription", text(hazard.title()))
        .with("fullDescription", text(hazard.explanation()))
        .with("help", text(hazard.fix() + " See " + Documentation.url(hazard.page()) + "."))
        .with("helpUri", Documentation.url(hazard.page()))
        .with("defaultConfiguration", Mapping.EMPTY.with("level", hazard.lintSeverity().text()))
        .with("properties", Mapping.EMPTY.with("kyverno", hazard.affectedVersions().toString()));
  }

  private static Mapping result(LintFinding finding, List<String> ids) {
    var position = finding.position();
    var region =
        Mapping.EMPTY
            .with("startLine", Numeric.of(position.line()))
            .with("startColumn", Numeric.of(position.column()));
    var place =
        Mapping.EMPTY.with(
            "fullyQualifiedName",
            finding.policy() + (finding.path().isEmpty() ? "" : ":" + finding.path()));
    return Mapping.EMPTY
        .with("ruleId", finding.hazard().id())
        .with("ruleIndex", Numeric.of(ids.indexOf(finding.hazard().id())))
        .with("level", finding.lintSeverity().text())
        .with("message", text(finding.policy() + ": " + finding.message() + ". " + finding.fix()))
        .with(
            "locations",
            only(
                Mapping.EMPTY
                    .with(
                        "physicalLocation",
                        Mapping.EMPTY
                            .with("artifactLocation", file(position.source()))
                            .with("region", region))
                    .with("logicalLocations", only(place))));
  }

  private static Value suppressed(LintResult.Suppressed suppressed, List<String> ids) {
    return result(suppressed.lintFinding(), ids)
        .with(
            "suppressions",
            only(
                Mapping.EMPTY.with("kind", "inSource").with("justification", suppressed.reason())));
  }

  /// Returns the location of a file. Standard input has no file that a code host could show.
  private static Value file(String source) {
    return source.equals("-")
        ? Mapping.EMPTY.with("uri", "stdin").with("description", text("standard input"))
        : Mapping.EMPTY.with("uri", uri(source));
  }

  private static Value text(String text) {
    return Mapping.EMPTY.with("text", text);
  }

  private static Value only(Value item) {
    return new Sequence(List.of(item));
  }

  /// Returns the path as a URI. A path relative to the working directory stays relative, so that a
  /// code host finds the file.
  private static String uri(String source) {
    var path = Path.of(source).normalize();
    if (path.isAbsolute()) {
      return URI.create(path.toUri().toString()).toASCIIString();
    }
    try {
      var relative = path.toString().replace('\\', '/');
      // A colon in the first segment would be read as the end of a scheme.
      var first = relative.substring(0, Math.max(0, relative.indexOf('/')));
      var plain = first.contains(":") || (first.isEmpty() && relative.contains(":"));
      return new URI(null, null, plain ? "./" + relative : relative, null).toASCIIString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("path cannot be converted to a URI: " + source, e);
    }
  }
}
