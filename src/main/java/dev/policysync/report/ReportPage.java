package dev.policysync.report;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.policysync.base.Json;
import dev.policysync.base.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.LongStream;

/// One page of reports. A report's results are read one by one, and the report is passed on when it
/// is complete, because its `scope` comes after its `results`.
final class ReportPage implements PageReader {
  private final ReportKind kind;
  private final int number;
  private final ResultPartitioner resultPartitioner;

  long reports;

  /// The time of Kyverno's newest result on this page, in nanoseconds since 1970; 0 if there is
  /// none.
  long latest;

  long results;
  long bytes;
  long resultBytes;
  long staleReports;
  long withoutPolicy;
  long unknownResults;
  long unknownSeverities;
  long malformed;

  /// Labels of reports that could not be parsed: `PolicyReport shop/cart`.
  private final List<String> unreadable = new ArrayList<>();

  /// Key and time of each report in openreports.io. Those of all pages stay in memory until the
  /// list is complete.
  final LongStream.Builder openReports = LongStream.builder();

  /// Keys of reports that are newer than the report on the same resource in openreports.io.
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

  /// Checks that every report of the page could be read. If a report whose results are not a list
  /// were left out, its findings would count as fixed, and a warning would come too late.
  ///
  /// @throws CollectionFailed if a report could not be read; the message names the first one
  public void requireReadable() {
    if (!unreadable.isEmpty()) {
      throw new CollectionFailed(
          "read "
              + unreadable.getFirst()
              + ": its results are not a list of objects, so the collection would be incomplete;"
              + " delete or repair it"
              + (unreadable.size() == 1 ? "" : ", and " + (unreadable.size() - 1) + " more"));
    }
  }

  public ReportSizes sizes() {
    return new ReportSizes(reports, results, bytes, resultBytes);
  }

  /// Passes this page's reports to the filter. Call it once, when no page of the list can be read
  /// again.
  public void addTo(StaleReportFilter staleReportFilter) {
    for (var numbers = openReports.build().iterator(); numbers.hasNext(); ) {
      staleReportFilter.add(numbers.nextLong(), numbers.nextLong());
    }
    newer.build().forEach(staleReportFilter::addNewer);
  }

  @Override
  public void object(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      unreadable.add(kind.kind() + " without a name");
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
    if (report.unreadable) {
      unreadable.add(report.label(kind));
    }
    reports++;
    bytes += parser.currentLocation().getByteOffset() - from;
    resultPartitioner.take(report, this);
  }

  /// Reads the metadata without managed fields, which make up a third of a report and are not
  /// needed.
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
      report.unreadable |= parser.currentToken() != JsonToken.VALUE_NULL;
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
        report.unreadable = true;
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
    if (raw.malformed()) {
      malformed++;
    }
    var severity = raw.severity();
    if (!severity.isEmpty() && Severity.of(severity).isEmpty()) {
      unknownSeverities++;
    }
    report.results.add(
        new RawReport.Kept(
            RawReport.cut(policy),
            RawReport.cut(raw.rule()),
            RawReport.cut(raw.source()),
            result.get(),
            severity,
            raw.category(),
            result.get().isFinding() ? raw.message() : ResultMessage.NONE,
            raw.time(),
            raw.resources(),
            raw));
  }
}
