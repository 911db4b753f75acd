package dev.policysync.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.base.Json;
import dev.policysync.cli.DurationText;
import dev.policysync.report.ReportKind;
import dev.policysync.report.ReportResult;
import dev.policysync.report.ReportSummary;
import dev.policysync.report.view.FindingsJson;
import dev.policysync.sync.RunId;
import java.io.IOException;
import java.util.Locale;

/// The summary of `report` as one JSON line; a golden file pins its field names.
final class ReportSummaryJson {

  private ReportSummaryJson() {}

  /// @param run the id of this run
  static String write(ReportSummary summary, RunId run) {
    return Json.write(json -> write(json, summary, run));
  }

  private static void write(JsonGenerator json, ReportSummary summary, RunId run)
      throws IOException {
    var success = summary.failure().isEmpty();
    json.writeStartObject();
    json.writeStringField("level", success ? "info" : "error");
    json.writeStringField("msg", success ? "Policy report completed" : "Policy report failed");
    json.writeBooleanField("success", success);
    json.writeStringField("duration", DurationText.of(summary.duration()));
    json.writeStringField("outcome", summary.status().name().toLowerCase(Locale.ROOT));
    json.writeStringField("summary", counts(summary));
    json.writeNumberField("bytes", summary.bytes());
    var content = summary.content();
    if (content.isPresent()) {
      content(json, content.get());
    }
    json.writeArrayFieldStart("errors");
    if (summary.failure().isPresent()) {
      json.writeString(summary.failure().get());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("warnings");
    for (var warning : summary.warnings()) {
      json.writeString(warning);
    }
    json.writeEndArray();
    json.writeStringField("run", run.text());
    json.writeEndObject();
  }

  private static void content(JsonGenerator json, ReportSummary.Content content)
      throws IOException {
    var all = content.totals().all();
    json.writeNumberField("findings", all.findings());
    json.writeObjectFieldStart("results");
    for (var result : ReportResult.values()) {
      json.writeNumberField(result.toString(), all.of(result));
    }
    json.writeEndObject();
    json.writeObjectFieldStart("severities");
    for (var severity : content.totals().severities().entrySet()) {
      json.writeNumberField(severity.getKey().toString(), severity.getValue().findings());
    }
    json.writeEndObject();
    json.writeObjectFieldStart("reports");
    for (var kind : ReportKind.values()) {
      var reportSizes = content.sizes().get(kind);
      if (reportSizes != null) {
        json.writeNumberField(kind.qualified(), reportSizes.reports());
      }
    }
    json.writeEndObject();
    FindingsJson.remarks(json, content.statistics());
  }

  /// Returns the counts, for text and JSON alike: `Fail 3, Error 0, Warn 1, Pass 40, Skip 2`.
  static String counts(ReportSummary summary) {
    return summary
        .content()
        .map(content -> {
          var all = content.totals().all();
          return "Fail "
              + all.fail()
              + ", Error "
              + all.error()
              + ", Warn "
              + all.warn()
              + ", Pass "
              + all.pass()
              + ", Skip "
              + all.skip();
        })
        .orElse("No report");
  }
}
