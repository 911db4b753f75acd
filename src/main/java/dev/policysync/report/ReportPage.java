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

/// One page of reports. A report is read result by result and handed on when it is complete,
/// because what it is about stands behind its results.
public final class ReportPage implements PageReader {
  private final ReportKind kind;
  private final int number;
  private final ResultPartitioner resultPartitioner;

  public long reports;

  /// When the newest result of Kyverno in it was made, in nanoseconds since 1970; else 0.
  public long latest;

  long results;
  long bytes;
  long resultBytes;
  public long staleReports;
  public long withoutPolicy;
  public long unknownResults;
  public long unknownSeverities;
  public long malformed;

  /// `PolicyReport shop/cart`: what has no form in which a report can say something.
  private final List<String> unreadable = new ArrayList<>();

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

  /// Insists that every report of the page could be read. Left out, a report whose results are no
  /// list would close its findings as fixed; a remark would come too late.
  ///
  /// @throws CollectionFailed naming the first one
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
