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

/// One item of a report's `results`, read with no trust in its form: what has another type than it
/// should is taken as missing.
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

  /// `message`; `description` in drafts of the openreports form.
  ResultMessage message() {
    var message = text("message");
    return ResultMessage.of(message.isEmpty() ? text("description") : message);
  }

  /// A digest of what tells it from other results of its policy on its resource, where its producer
  /// is not Kyverno: a scanner has a result for each package that a vulnerability is in, which
  /// differ in `properties` or the message alone.
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

  /// In nanoseconds since 1970, 0 where it is not given: `{seconds, nanos}`, or RFC 3339.
  long time() {
    return switch (fields.fields().get("timestamp")) {
      case Value.Mapping timestamp ->
          nanos(number(timestamp, "seconds"), number(timestamp, "nanos"));
      case Value.Text(var text) -> nanos(text);
      case null, default -> 0;
    };
  }

  /// Whether a member that counts has another type than `wgpolicyk8s.io/v1alpha2` gives it.
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

  /// What it names itself; in reports with a scope nothing.
  List<Resource> resources() {
    return fields.items("resources").stream()
        .filter(Value.Mapping.class::isInstance)
        .map(item -> resource((Value.Mapping) item))
        .toList();
  }

  /// An object reference.
  static Resource resource(Value.Mapping reference) {
    return new Resource(
        reference.text("apiVersion").orElse(""),
        reference.text("kind").orElse(""),
        reference.text("namespace").orElse(""),
        reference.text("name").orElse(""),
        reference.text("uid").orElse(""));
  }

  /// In nanoseconds since 1970; 0 for a text that is no time.
  static long nanos(String rfc3339) {
    try {
      var time = Instant.parse(rfc3339);
      return nanos(time.getEpochSecond(), time.getNano());
    } catch (DateTimeException _) {
      return 0;
    }
  }

  private static long nanos(long seconds, long nanos) {
    // Out of what a long can hold, up to the year 2262, no time is meant.
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
