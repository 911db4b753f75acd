package dev.policysync.realkyverno;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.convert.Conversion;
import dev.policysync.convert.Converter;
import dev.policysync.convert.verification.Trial;
import dev.policysync.convert.verification.VerdictComparison;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.testcluster.KyvernoCliAssets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Each operator of conditions and patterns with each sort of value: both forms agree, or the
/// policy is refused.
class EveryOperatorIT {
  /// What Kyverno reads as durations, quantities, numbers, versions, ranges, wildcards, JSON.
  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "a*",
          "?",
          "*",
          "0",
          "+0",
          "5",
          "5.0",
          "05",
          "+5",
          "-5",
          "1e3",
          "1000",
          "1_000",
          "1k",
          "1Ki",
          "60m",
          "1h",
          "-1h",
          "1.5h",
          "3600s",
          "31536000s",
          "500m",
          "100ms",
          "0s",
          "1.5",
          "90s",
          "1.2.3",
          "1.10.0",
          "1.2.3-rc.1",
          "latest",
          "true",
          "2Gi",
          "2048Mi",
          "10-20",
          "15",
          "[\"a\"]",
          "1000680000",
          "0x10",
          "{{ $a }}");

  private static final List<String> OTHERS =
      List.of(
          "0",
          "5",
          "-5",
          "1000",
          "3600",
          "1.5",
          "0.5",
          "4294967295",
          "true",
          "false",
          "null",
          "[]",
          "[\"a\"]",
          "[\"a\", \"b\"]",
          "[\"a\", 1]",
          "[1]",
          "[null]",
          "[[\"a\"]]",
          "{}",
          "{\"a\": \"b\"}",
          "{\"a\": 1}",
          "[\"{{ $a }}\"]",
          "[\"b\", \"a-{{ nothing.there }}\"]",
          "[\"{{ a\"]",
          "{\"a\": \"{{ $a }}\"}",
          "[{\"{{ $a }}\": 1}]");

  private static final List<String> PATTERNS =
      List.of(
          "<=500m",
          "100m-4",
          "<=2400h",
          ">=1m",
          "1h",
          "!1h",
          "500m",
          "!500m",
          "0s",
          "!0s",
          ">0s",
          "<=0s",
          "1h-2h",
          "1h!-2h",
          "-1h",
          ">=-1h",
          "5m | 1h",
          "!5m & !1h",
          "<1h30m",
          "1.5h",
          "<31536000s",
          ">=1Gi",
          "5",
          "!5",
          ">5",
          "10-20",
          "a*",
          "!a*",
          "?*",
          "*",
          "a | b",
          "0",
          "<1000680001");

  private static final List<String> ORDERS =
      List.of("GreaterThan", "GreaterThanOrEquals", "LessThan", "LessThanOrEquals");
  private static final List<String> EQUALITIES = List.of("Equals", "NotEquals");
  private static final List<String> MEMBERSHIPS = List.of("AnyIn", "AllIn", "AnyNotIn", "AllNotIn");

  private static final ProofRecord RECORD = ProofRecord.of(EveryOperatorIT.class);

  private final VerdictComparison comparison =
      new VerdictComparison(KyvernoCliAssets.find().kyverno());

  @AfterAll
  static void endRecord() {
    RECORD.end();
  }

  @TestFactory
  Stream<DynamicTest> conditionsWithAWrittenValue() {
    var objects = objects(values(), List.of("\"of no matter\""));
    return all(all(ORDERS, EQUALITIES), MEMBERSHIPS).stream()
        .map(operator ->
            agreement(
                operator + " a written value",
                written().stream().map(value -> denied(operator, value)).toList(),
                20,
                objects));
  }

  /// Each first value has a proof of its own, because Kyverno takes minutes for all pairs: one
  /// proof would make the day's sample long.
  @TestFactory
  Stream<DynamicTest> conditionsWithTwoValuesOfTheObject() {
    var rules =
        all(ORDERS, EQUALITIES).stream()
            .map(operator -> denied(operator, "\"{{ request.object.data.value }}\""))
            .toList();
    return values().stream()
        .map(value -> agreement("two values, first " + value, rules, 3, pairs(value)));
  }

  @TestFactory
  Stream<DynamicTest> patterns() {
    var rules = PATTERNS.stream().map(EveryOperatorIT::pattern).toList();
    return Stream.of(agreement("patterns", rules, 16, objects(values(), List.of("1"))));
  }

  /// Returns the test that both forms of the rules agree on the objects.
  ///
  /// @param least the number of rules that are not refused, at least
  private DynamicTest agreement(
      String name, List<String> rules, int least, List<Value.Mapping> objects) {
    return DynamicTest.dynamicTest(
        name,
        () -> {
          var accepted =
              rules.stream().filter(rule -> conversion(List.of(rule)).converted()).toList();
          assertThat(accepted).hasSizeGreaterThanOrEqualTo(least);

          var trial = new Trial(conversion(accepted), List.of(), objects, Optional.empty());
          RECORD.prove(
              name,
              Trial.digest(List.of(trial)),
              () -> {
                var outcome = trial.outcome(comparison);
                assertThat(outcome.differences()).isEmpty();
                assertThat(outcome.judged()).isEqualTo(accepted.size() * objects.size());
              });
        });
  }

  private static Conversion conversion(List<String> rules) {
    var numbered = new ArrayList<String>();
    for (var rule : rules) {
      numbered.add(
          """
          {"name": "r%d", "match": {"any": [{"resources": {"kinds": ["v1/ConfigMap"]}}]},
           "validate": %s}\
          """
              .formatted(numbered.size(), rule));
    }
    var policy =
        """
        {"apiVersion": "kyverno.io/v1", "kind": "ClusterPolicy", "metadata": {"name": "things"},
         "spec": {"rules": [%s]}}\
        """
            .formatted(String.join(", ", numbered));
    return new Converter()
        .convert(PolicyReader.readLocated(List.of(new Manifest("things", policy.getBytes(UTF_8)))))
        .getFirst();
  }

  private static String denied(String operator, String value) {
    return """
    {"message": "no", "deny": {"conditions": {"all": [
      {"key": "{{ request.object.data.key }}", "operator": "%s", "value": %s}]}}}\
    """
        .formatted(operator, value);
  }

  private static String pattern(String pattern) {
    return "{\"message\": \"no\", \"pattern\": {\"data\": {\"key\": \"" + pattern + "\"}}}";
  }

  /// One for each pair.
  private static List<Value.Mapping> objects(List<String> keys, List<String> values) {
    var objects = new ArrayList<Value.Mapping>();
    for (var key : keys) {
      for (var value : values) {
        objects.add(
            object(
                """
                {"apiVersion": "v1", "kind": "ConfigMap",
                 "metadata": {"name": "t%d", "namespace": "shop"},
                 "data": {"key": %s, "value": %s}}\
                """
                    .formatted(objects.size(), key, value)));
      }
    }
    return objects;
  }

  /// The objects with this first value and each second one.
  private static List<Value.Mapping> pairs(String first) {
    return objects(List.of(first), values()).stream()
        .filter(object -> !hasNumberAndUnusualText(object.mapping("data")))
        .toList();
  }

  private static Value.Mapping object(String json) {
    try {
      return (Value.Mapping) Json.parse(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Where such a text equals a number, it depends on whether the number is one of a request or of
  /// a scan; the successor has an error.
  private static boolean hasNumberAndUnusualText(Value.Mapping spec) {
    return spec.fields().get("key") instanceof Value.Numeric
        && spec.text("value")
            .filter(
                text -> text.matches("[+]?[\\d._]+(e\\d)?|0x10") && !text.matches("0|[1-9]\\d*"))
            .isPresent();
  }

  /// What a condition may have.
  private static List<String> written() {
    return values().stream()
        .filter(value -> !value.contains("{") && !value.contains("null"))
        .toList();
  }

  private static List<String> values() {
    var quoted = TEXTS.stream().map(text -> Json.write(new Value.Text(text))).toList();
    return all(quoted, OTHERS);
  }

  private static List<String> all(List<String> some, List<String> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }
}
