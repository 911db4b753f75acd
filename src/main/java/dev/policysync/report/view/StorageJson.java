package dev.policysync.report.view;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.util.Optional;

/// Writes the output of `report --storage` as JSON; see `docs/report-views.md`.
public final class StorageJson {
  private StorageJson() {}

  /// Writes the document and a line break.
  public static void write(
      Storage storage, Optional<Storage.Estimate> estimate, ReportHeader reportHeader, Writer out)
      throws IOException {
    try (var json = FindingsJson.FACTORY.createGenerator(out)) {
      json.writeStartObject();
      FindingsJson.head(json, reportHeader);
      ReportSizesJson.write(json, storage.kinds());
      json.writeObjectFieldStart("all");
      ReportSizesJson.fields(json, storage.all());
      json.writeEndObject();
      json.writeBooleanField("measured", storage.measured());
      json.writeNumberField("bytesPerResult", Math.round(storage.perResult()));
      json.writeNumberField("bytesPerReport", Math.round(storage.perReport()));
      json.writeFieldName("estimate");
      if (estimate.isPresent()) {
        estimate(json, estimate.get());
      } else {
        json.writeNull();
      }
      json.writeEndObject();
    }
    out.write('\n');
  }

  private static void estimate(JsonGenerator json, Storage.Estimate estimate) throws IOException {
    json.writeStartObject();
    json.writeNumberField("pods", estimate.pods());
    json.writeNumberField("policies", estimate.policies());
    json.writeNumberField("leastBytes", estimate.least());
    json.writeNumberField("mostBytes", estimate.most());
    json.writeNumberField("ruleOfThumbBytes", estimate.ruleOfThumb());
    json.writeEndObject();
  }
}
