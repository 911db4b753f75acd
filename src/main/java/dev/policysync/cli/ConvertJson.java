package dev.policysync.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.base.Json;
import dev.policysync.convert.Conversion;
import java.io.IOException;
import java.util.List;

/// The conversions and refusals as one line of JSON. The field names are part of the program's
/// interface.
final class ConvertJson {
  private ConvertJson() {}

  /// @param others the number of documents that are not of a legacy kind
  static String write(List<Conversion> conversions, int others) {
    return Json.write(json -> {
      json.writeStartObject();
      json.writeNumberField(
          "converted", conversions.stream().filter(Conversion::converted).count());
      json.writeNumberField(
          "refused", conversions.stream().filter(one -> !one.converted()).count());
      json.writeNumberField("others", others);
      json.writeArrayFieldStart("policies");
      for (var conversion : conversions) {
        write(json, conversion);
      }
      json.writeEndArray();
      json.writeEndObject();
    });
  }

  private static void write(JsonGenerator json, Conversion conversion) throws IOException {
    json.writeStartObject();
    json.writeStringField("policy", conversion.policy().id().toString());
    json.writeStringField("file", conversion.policy().position().source());
    json.writeNumberField("line", conversion.policy().position().line());
    json.writeArrayFieldStart("successors");
    for (var successor : conversion.successors()) {
      json.writeStartObject();
      json.writeStringField("rule", successor.rule());
      json.writeFieldName("manifest");
      json.writeRawValue(Json.write(successor.manifest()));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("refusals");
    for (var refusal : conversion.refusals()) {
      json.writeStartObject();
      json.writeStringField("rule", refusal.rule());
      json.writeNumberField("line", refusal.position().line());
      json.writeNumberField("column", refusal.position().column());
      json.writeStringField("construct", refusal.what());
      json.writeStringField("advice", refusal.advice());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
