package dev.policysync.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.report.ReportKind;
import dev.policysync.report.Sizes;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/// The list `reports`: how much there is of each kind.
final class SizesJson {
  private SizesJson() {}

  static void write(JsonGenerator json, Map<ReportKind, Sizes> sizes) throws IOException {
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

  static void fields(JsonGenerator json, Sizes sizes) throws IOException {
    json.writeNumberField("reports", sizes.reports());
    json.writeNumberField("results", sizes.results());
    json.writeNumberField("bytes", sizes.bytes());
    json.writeNumberField("resultBytes", sizes.resultBytes());
  }
}
