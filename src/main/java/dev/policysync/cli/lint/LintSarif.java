package dev.policysync.cli.lint;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.base.Json;
import dev.policysync.cli.ProgramVersion;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFinding;
import dev.policysync.lint.LintResult;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The lint findings as SARIF 2.1.0, which code hosts show beside the lines of a pull request
/// (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>).
final class LintSarif {
  private static final String REPOSITORY = "https://github.com/policy-sync/policy-sync";
  private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

  private final JsonGenerator json;
  private final Map<String, Integer> index = new HashMap<>();

  private LintSarif(JsonGenerator json) {
    this.json = json;
  }

  /// @param hazards all hazards that lint can find
  static String write(LintResult lintResult, List<Hazard> hazards) {
    return Json.write(json -> new LintSarif(json).log(lintResult, hazards));
  }

  private void log(LintResult lintResult, List<Hazard> hazards) throws IOException {
    json.writeStartObject();
    json.writeStringField("$schema", SCHEMA);
    json.writeStringField("version", "2.1.0");
    json.writeArrayFieldStart("runs");
    json.writeStartObject();
    tool(hazards);
    json.writeStringField("columnKind", "unicodeCodePoints");
    json.writeArrayFieldStart("results");
    for (var lintFinding : lintResult.findings()) {
      json.writeStartObject();
      result(lintFinding);
      json.writeEndObject();
    }
    for (var suppressed : lintResult.suppressed()) {
      json.writeStartObject();
      result(suppressed.lintFinding());
      json.writeArrayFieldStart("suppressions");
      json.writeStartObject();
      json.writeStringField("kind", "inSource");
      json.writeStringField("justification", suppressed.reason());
      json.writeEndObject();
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndArray();
    json.writeEndObject();
  }

  private void tool(List<Hazard> hazards) throws IOException {
    json.writeObjectFieldStart("tool");
    json.writeObjectFieldStart("driver");
    json.writeStringField("name", "policy-sync");
    json.writeStringField("version", ProgramVersion.text());
    json.writeStringField("informationUri", REPOSITORY);
    json.writeArrayFieldStart("rules");
    for (var hazard : hazards) {
      index.put(hazard.id(), index.size());
      json.writeStartObject();
      json.writeStringField("id", hazard.id());
      message("shortDescription", hazard.title());
      message("fullDescription", hazard.explanation());
      message("help", hazard.fix() + " See " + page(hazard) + ".");
      json.writeStringField("helpUri", page(hazard));
      json.writeObjectFieldStart("defaultConfiguration");
      json.writeStringField("level", hazard.lintSeverity().text());
      json.writeEndObject();
      json.writeObjectFieldStart("properties");
      json.writeStringField("kyverno", hazard.affectedVersions().toString());
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndObject();
  }

  private void result(LintFinding lintFinding) throws IOException {
    json.writeStringField("ruleId", lintFinding.hazard().id());
    json.writeNumberField("ruleIndex", index.getOrDefault(lintFinding.hazard().id(), -1));
    json.writeStringField("level", lintFinding.lintSeverity().text());
    message(
        "message", lintFinding.policy() + ": " + lintFinding.message() + ". " + lintFinding.fix());
    json.writeArrayFieldStart("locations");
    json.writeStartObject();
    json.writeObjectFieldStart("physicalLocation");
    json.writeObjectFieldStart("artifactLocation");
    artifact(lintFinding.position().source());
    json.writeEndObject();
    json.writeObjectFieldStart("region");
    json.writeNumberField("startLine", lintFinding.position().line());
    json.writeNumberField("startColumn", lintFinding.position().column());
    json.writeEndObject();
    json.writeEndObject();
    json.writeArrayFieldStart("logicalLocations");
    json.writeStartObject();
    json.writeStringField(
        "fullyQualifiedName",
        lintFinding.policy() + (lintFinding.path().isEmpty() ? "" : ":" + lintFinding.path()));
    json.writeEndObject();
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndArray();
  }

  /// Writes the location of a file. Standard input has no file that a code host could show.
  private void artifact(String source) throws IOException {
    if (source.equals("-")) {
      json.writeStringField("uri", "stdin");
      message("description", "standard input");
    } else {
      json.writeStringField("uri", uri(source));
    }
  }

  /// Returns the URL of the hazard's page in this release, or on `main` in a development build.
  private static String page(Hazard hazard) {
    var version = ProgramVersion.text();
    var tree = version.equals("development") ? "main" : "v" + version;
    return REPOSITORY + "/blob/" + tree + "/" + hazard.page();
  }

  private void message(String field, String text) throws IOException {
    json.writeObjectFieldStart(field);
    json.writeStringField("text", text);
    json.writeEndObject();
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
