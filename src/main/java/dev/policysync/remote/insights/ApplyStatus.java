package dev.policysync.remote.insights;

import dev.policysync.base.Json;
import dev.policysync.sync.PolicyStatus;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;

/// The body of one `apply-status` call: what the API stores for one policy name.
///
/// ```json
/// {"policyName":"team-label","reportType":"kyverno","action":"apply","status":"failed",
///  "lastAppliedAt":"2026-11-20T09:30:00Z","policyBody":"apiVersion: …","output":"…"}
/// ```
final class ApplyStatus {
  /// In bytes. The API's own limit is not known. An admission webhook's response can be very long,
  /// and its first lines say what is wrong.
  private static final int OUTPUT_LIMIT = 4096;

  private static final String CUT = " … (shortened)";

  private ApplyStatus() {}

  static byte[] json(PolicyStatus status, String manifest) {
    // Builds a string first: unlike a byte generator, a string encodes a lone surrogate as `?` in
    // UTF-8.
    return Json.write(
            json -> {
              json.writeStartObject();
              json.writeStringField("policyName", status.name());
              json.writeStringField("reportType", "kyverno");
              json.writeStringField("action", action(status.operation()));
              json.writeStringField("status", status.success() ? "success" : "failed");
              json.writeStringField(
                  "lastAppliedAt", status.at().truncatedTo(ChronoUnit.SECONDS).toString());
              json.writeStringField("policyBody", manifest);
              json.writeStringField("output", shortened(status.output()));
              json.writeEndObject();
            })
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String action(PolicyStatus.Operation operation) {
    return switch (operation) {
      case APPLY -> "apply";
      case DELETE -> "delete";
    };
  }

  private static String shortened(String output) {
    var bytes = output.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= OUTPUT_LIMIT) {
      return output;
    }
    var end = OUTPUT_LIMIT - CUT.getBytes(StandardCharsets.UTF_8).length;
    while ((bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8) + CUT;
  }
}
