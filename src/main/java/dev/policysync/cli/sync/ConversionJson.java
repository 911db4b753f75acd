package dev.policysync.cli.sync;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.sync.analysis.PolicyConversion;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/// The list `conversions` of the summary: the successors of legacy policies (group kyverno.io). The
/// field names are those of `convert -o json`.
final class ConversionJson {
  private ConversionJson() {}

  static void write(JsonGenerator json, List<PolicyConversion> conversions) throws IOException {
    json.writeArrayFieldStart("conversions");
    for (var conversion : conversions) {
      json.writeStartObject();
      json.writeStringField("policy", conversion.policy().toString());
      json.writeArrayFieldStart("successors");
      for (var successor : conversion.successors()) {
        json.writeString(successor.id().toString());
      }
      json.writeEndArray();
      json.writeArrayFieldStart("refusals");
      for (var refusal : conversion.refusals()) {
        write(json, refusal);
      }
      json.writeEndArray();
      if (conversion.progress().isPresent()) {
        json.writeStringField("stage", stage(conversion.progress().get()));
        json.writeStringField("waitsFor", conversion.progress().get().reason());
      }
      if (!conversion.converted()) {
        json.writeStringField("notInForceFrom", PolicyConversion.UNSUPPORTED_FROM);
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static String stage(PolicyConversion.Progress progress) {
    return progress.stage().name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static void write(JsonGenerator json, PolicyConversion.Refusal refusal)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("rule", refusal.rule());
    json.writeStringField("file", refusal.position().source());
    json.writeNumberField("line", refusal.position().line());
    json.writeNumberField("column", refusal.position().column());
    json.writeStringField("construct", refusal.construct());
    json.writeStringField("advice", refusal.advice());
    json.writeEndObject();
  }
}
