package dev.policysync.report.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import dev.policysync.base.Printable;
import dev.policysync.report.Category;
import dev.policysync.report.Finding;
import dev.policysync.report.Findings;
import dev.policysync.report.ReportResult;
import dev.policysync.report.Severity;
import dev.policysync.report.Totals;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes the findings into the page as JSON for its script, in chunks, so that the browser does
/// not have to parse all of them at once.
final class EmbeddedJson {
  /// The number of findings in a chunk.
  static final int PIECE = 500;

  private static final JsonFactory FACTORY =
      new JsonFactory()
          .setCharacterEscapes(new NoMarkup())
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);

  private static final List<Severity> SEVERITIES = List.of(Severity.values());
  private static final List<Category> CATEGORIES = List.of(Category.values());

  /// The results that a [Finding] can have.
  private static final List<ReportResult> RESULTS =
      Arrays.stream(ReportResult.values()).filter(ReportResult::isFinding).toList();

  private final HtmlWriter htmlWriter;
  private final PolicyIndex policyIndex;
  private final FindingContext context;
  private final Map<String, Integer> kinds = new LinkedHashMap<>();
  private final Map<String, Integer> owners = new LinkedHashMap<>();

  EmbeddedJson(HtmlWriter htmlWriter, PolicyIndex policyIndex, FindingContext context) {
    this.htmlWriter = htmlWriter;
    this.policyIndex = policyIndex;
    this.context = context;
  }

  void write(Findings findings) throws IOException {
    try (var stream = findings.stream()) {
      var all = stream.iterator();
      while (all.hasNext()) {
        htmlWriter.raw("<script type=\"application/json\" class=\"findings\">");
        piece(all);
        htmlWriter.raw("</script>\n");
      }
    }
    htmlWriter.raw("<script type=\"application/json\" id=\"words\">");
    words(findings.totals());
    htmlWriter.raw("</script>");
  }

  private void piece(Iterator<Finding> all) throws IOException {
    try (var json = FACTORY.createGenerator(htmlWriter.writer())) {
      json.writeStartArray();
      for (var i = 0; i < PIECE && all.hasNext(); i++) {
        finding(json, all.next());
      }
      json.writeEndArray();
    }
  }

  /// Writes a finding. The script reads its fields in this order (`named`).
  private void finding(JsonGenerator json, Finding finding) throws IOException {
    json.writeStartArray();
    json.writeNumber(SEVERITIES.indexOf(finding.severity()));
    json.writeNumber(RESULTS.indexOf(finding.result()));
    json.writeNumber(CATEGORIES.indexOf(finding.category()));
    json.writeNumber(policyIndex.number(finding.policy()));
    text(json, finding.rule());
    json.writeNumber(number(kinds, finding.resource().kind()));
    text(json, finding.resource().namespace());
    text(json, finding.resource().name());
    text(json, finding.resultMessage().text());
    json.writeBoolean(finding.resultMessage().cut());
    json.writeNumber(finding.pods());
    json.writeNumber(context.age(finding).toSeconds());
    json.writeNumber(context.isNew(finding).orElse(false) ? 1 : 0);
    json.writeNumber(
        context.owners().isEmpty()
            ? 0
            : number(owners, context.owner(finding).orElse(Owners.UNKNOWN)));
    json.writeEndArray();
  }

  /// Returns the number of a text that many findings share; a new text gets the next number.
  private static int number(Map<String, Integer> numbers, String text) {
    return numbers.computeIfAbsent(text, _ -> numbers.size());
  }

  private void words(Totals totals) throws IOException {
    try (var json = FACTORY.createGenerator(htmlWriter.writer())) {
      json.writeStartObject();
      json.writeNumberField("at", context.reportHeader().at().getEpochSecond());
      list(json, "severities", SEVERITIES);
      list(json, "results", RESULTS);
      list(json, "categories", CATEGORIES);
      list(
          json,
          "namespaces",
          totals.namespaces().stream()
              .filter(of -> of.resultCounts().findings() > 0)
              .map(Totals.OfNamespace::namespace)
              .toList());
      list(json, "kinds", kinds.keySet());
      list(json, "owners", owners.keySet());
      list(json, "changes", context.comparison().isEmpty() ? List.of() : List.of("known", "new"));
      json.writeArrayFieldStart("policies");
      for (var policy : policyIndex.policies()) {
        json.writeStartObject();
        json.writeFieldName("label");
        text(json, policyIndex.label(policy));
        json.writeFieldName("title");
        text(json, DisplayText.title(policy));
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void list(JsonGenerator json, String field, Collection<?> items)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (var item : items) {
      text(json, item.toString());
    }
    json.writeEndArray();
  }

  /// Writes text from the cluster. The script shows it without further changes.
  private static void text(JsonGenerator json, String text) throws IOException {
    json.writeString(Printable.lines(text));
  }

  /// Escapes `<`, `>` and `&`, so that no text can contain `</script>` or `<!--`.
  private static final class NoMarkup extends CharacterEscapes {
    private static final long serialVersionUID = 1;

    @Override
    public int[] getEscapeCodesForAscii() {
      var codes = CharacterEscapes.standardAsciiEscapesForJSON();
      codes['<'] = CharacterEscapes.ESCAPE_STANDARD;
      codes['>'] = CharacterEscapes.ESCAPE_STANDARD;
      codes['&'] = CharacterEscapes.ESCAPE_STANDARD;
      return codes;
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
      return null;
    }
  }
}
