package dev.policysync.report.page;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.policysync.json.Json;
import dev.policysync.json.Value;
import dev.policysync.report.dedup.StaleReportFilter;
import dev.policysync.report.finding.ReportKind;
import dev.policysync.report.finding.ReportSizes;
import dev.policysync.report.finding.ResultMessage;
import dev.policysync.report.finding.Severity;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.stream.LongStream;

/// One page of reports. A report is read result by result and handed on when it is complete,
/// because what it is about stands behind its results.
public final class ReportPage implements PageReader {
  private static final String VALIDATING_ADMISSION_POLICY = "validatingadmissionpolicy";

  private final ReportKind kind;
  private final int number;
  private final ResultPartitioner resultPartitioner;

  public long reports;
  long results;
  long bytes;
  long resultBytes;
  public long staleReports;
  public long withoutPolicy;
  public long unknownResults;
  public long unknownSeverities;
  public long malformed;

  /// Key and time of each of its reports in openreports.io. Their like for all pages are in memory
  /// until the list is complete.
  final LongStream.Builder open = LongStream.builder();

  /// Keys of its reports that are newer than their twin.
  final LongStream.Builder newer = LongStream.builder();

  public ReportPage(ReportKind kind, int number, ResultPartitioner resultPartitioner) {
    this.kind = kind;
    this.number = number;
    this.resultPartitioner = resultPartitioner;
  }

  ReportKind kind() {
    return kind;
  }

  public int number() {
    return number;
  }

  public ReportSizes sizes() {
    return new ReportSizes(reports, results, bytes, resultBytes);
  }

  /// Tells of its reports, once: as soon as nothing of its list is read anew any more.
  public void noteIn(StaleReportFilter staleReportFilter) {
    for (var numbers = open.build().iterator(); numbers.hasNext(); ) {
      staleReportFilter.add(numbers.nextLong(), numbers.nextLong());
    }
    newer.build().forEach(staleReportFilter::addNewer);
  }

  @Override
  public void object(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      malformed++;
      parser.skipChildren();
      return;
    }
    var from = parser.currentTokenLocation().getByteOffset();
    var report = new RawReport();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var field = parser.currentName();
      parser.nextToken();
      switch (field) {
        case "results" -> results(parser, report);
        case "metadata" -> metadata(parser, report);
        default -> report.fields.put(field, Json.next(parser));
      }
    }
    reports++;
    bytes += parser.currentLocation().getByteOffset() - from;
    resultPartitioner.take(report, this);
  }

  /// Managed fields are a third of a report, and nobody's business here.
  private static void metadata(JsonParser parser, RawReport report) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return;
    }
    var fields = new LinkedHashMap<String, Value>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var field = parser.currentName();
      parser.nextToken();
      if (field.equals("managedFields")) {
        parser.skipChildren();
      } else {
        fields.put(field, Json.next(parser));
      }
    }
    report.fields.put("metadata", new Value.Mapping(fields));
  }

  private void results(JsonParser parser, RawReport report) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      if (parser.currentToken() != JsonToken.VALUE_NULL) {
        malformed++;
      }
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      var from = parser.currentTokenLocation().getByteOffset();
      var item = Json.next(parser);
      results++;
      resultBytes += parser.currentLocation().getByteOffset() - from;
      if (item instanceof Value.Mapping fields) {
        result(new RawResult(fields), report);
      } else {
        malformed++;
      }
    }
  }

  private void result(RawResult raw, RawReport report) {
    var policy = raw.policy();
    if (policy.isEmpty()) {
      withoutPolicy++;
      return;
    }
    var result = raw.result();
    if (result.isEmpty()) {
      unknownResults++;
      return;
    }
    var severity = raw.severity();
    if (!severity.isEmpty() && Severity.of(severity).isEmpty()) {
      unknownSeverities++;
    }
    var source = raw.source();
    var resultMessage = raw.message();
    var uploaded =
        result.get().isFinding()
            || source.toLowerCase(Locale.ROOT).equals(VALIDATING_ADMISSION_POLICY);
    report.results.add(
        new RawReport.Kept(
            RawReport.cut(policy),
            RawReport.cut(raw.rule()),
            RawReport.cut(source),
            result.get(),
            severity,
            raw.category(),
            result.get().isFinding() ? resultMessage : ResultMessage.NONE,
            raw.time(),
            raw.resources(),
            uploaded ? json(raw.fields(), resultMessage) : ""));
  }

  /// Without its last brace, as its policy's title comes behind it.
  private static String json(Value.Mapping fields, ResultMessage resultMessage) {
    var capped =
        resultMessage.cut()
            ? fields.with("message", new Value.Text(resultMessage.text() + " [cut]"))
            : fields;
    var json = Json.write(capped);
    return json.substring(0, json.length() - 1);
  }
}
