package dev.policysync.report.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.report.ReportKind;
import dev.policysync.report.ReportSizes;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/// Writes the list `reports`: the number and size of the reports of each kind.
final class ReportSizesJson {
  private ReportSizesJson() {}

  static void write(JsonGenerator json, Map<ReportKind, ReportSizes> sizes) throws IOException {
    json.writeArrayFieldStart("reports");
    for (var of : new TreeMap<>(sizes).entrySet()) {
      json.writeStartObject();
      json.writeStringField("kind", of.getKey().kind());
      json.writeStringField("group", of.getKey().group());
      fields(json, of.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  static void fields(JsonGenerator json, ReportSizes reportSizes) throws IOException {
    json.writeNumberField("reports", reportSizes.reports());
    json.writeNumberField("results", reportSizes.results());
    json.writeNumberField("bytes", reportSizes.bytes());
    json.writeNumberField("resultBytes", reportSizes.resultBytes());
  }
}
