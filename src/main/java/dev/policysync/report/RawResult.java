package dev.policysync.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.policy.Digest;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// One item of a report's `results`. Reports may be malformed, so a field of a wrong type counts as
/// missing.
record RawResult(Value.Mapping fields) {
  String policy() {
    return text("policy");
  }

  String rule() {
    return text("rule");
  }

  String source() {
    return text("source");
  }

  Optional<ReportResult> result() {
    return ReportResult.of(text("result"));
  }

  String severity() {
    return text("severity");
  }

  String category() {
    return text("category");
  }

  /// Returns `message`, or `description`, its name in drafts of openreports.io.
  ResultMessage message() {
    var message = text("message");
    return ResultMessage.of(message.isEmpty() ? text("description") : message);
  }

  /// Returns a digest of the fields that distinguish this result from others for the same policy
  /// and resource. It is needed for producers other than Kyverno: a scanner writes a result for
  /// each package with a vulnerability, and only `properties` or the message differ.
  String distinction() {
    var members = new TreeMap<String, Value>();
    for (var name : List.of("category", "message", "description", "properties")) {
      var member = fields.fields().get(name);
      if (member != null) {
        members.put(name, member);
      }
    }
    return Digest.of(CanonicalJson.write(new Value.Mapping(members)).getBytes(UTF_8)).text();
  }

  /// Returns the time in nanoseconds since 1970, from `{seconds, nanos}` or RFC 3339; 0 if there is
  /// none.
  long time() {
    return switch (fields.fields().get("timestamp")) {
      case Value.Mapping timestamp ->
          nanos(number(timestamp, "seconds"), number(timestamp, "nanos"));
      case Value.Text(var text) -> nanos(text);
      case null, default -> 0;
    };
  }

  /// Returns whether a field that is used has another type than in `wgpolicyk8s.io/v1alpha2`.
  boolean malformed() {
    return fields.fields().entrySet().stream()
        .anyMatch(member ->
            switch (member.getKey()) {
              case "policy", "rule", "source", "result", "severity", "category", "message" ->
                  !(member.getValue() instanceof Value.Text);
              case "scored" -> !(member.getValue() instanceof Value.Bool);
              case "timestamp" -> time() == 0 && !(member.getValue() instanceof Value.Mapping);
              case "properties" ->
                  !(member.getValue() instanceof Value.Mapping(var properties))
                      || !properties.values().stream().allMatch(Value.Text.class::isInstance);
              case "resources" ->
                  !(member.getValue() instanceof Value.Sequence(var references))
                      || !references.stream().allMatch(Value.Mapping.class::isInstance);
              default -> false;
            });
  }

  /// Returns the resources in the result itself; empty in reports with a scope.
  List<Resource> resources() {
    return fields.items("resources").stream()
        .filter(Value.Mapping.class::isInstance)
        .map(item -> resource((Value.Mapping) item))
        .toList();
  }

  static Resource resource(Value.Mapping reference) {
    return new Resource(
        reference.text("apiVersion").orElse(""),
        reference.text("kind").orElse(""),
        reference.text("namespace").orElse(""),
        reference.text("name").orElse(""),
        reference.text("uid").orElse(""));
  }

  /// Returns the time in nanoseconds since 1970; 0 if the text is not a time.
  static long nanos(String rfc3339) {
    try {
      var time = Instant.parse(rfc3339);
      return nanos(time.getEpochSecond(), time.getNano());
    } catch (DateTimeException _) {
      return 0;
    }
  }

  private static long nanos(long seconds, long nanos) {
    // A time that does not fit into a long (after the year 2262) is a mistake.
    return seconds <= 0 || seconds > Long.MAX_VALUE / 1_000_000_000 - 1
        ? 0
        : seconds * 1_000_000_000 + Math.clamp(nanos, 0, 999_999_999);
  }

  private static long number(Value.Mapping mapping, String name) {
    if (mapping.fields().get(name) instanceof Value.Numeric(var literal)) {
      try {
        return new BigDecimal(literal).longValueExact();
      } catch (ArithmeticException _) {
        return 0;
      }
    }
    return 0;
  }

  private String text(String name) {
    return fields.text(name).orElse("");
  }
}
