package dev.policysync.realkyverno;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.convert.Conversion;
import dev.policysync.convert.Converter;
import dev.policysync.convert.verification.VerdictComparison;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.testcluster.KyvernoCliAssets;
import dev.policysync.testcluster.Rounds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each operator of conditions and patterns with each sort of value: both forms agree, or the
/// policy is refused. Each build tries a part of the objects, `make torture` all.
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

  private final VerdictComparison comparison =
      new VerdictComparison(KyvernoCliAssets.find().kyverno());

  @Test
  void conditionsWithAWrittenValue() {
    var rules = new ArrayList<String>();
    for (var operator : all(all(ORDERS, EQUALITIES), MEMBERSHIPS)) {
      for (var value : written()) {
        rules.add(denied(operator, value));
      }
    }

    assertAgree(rules, objects(values(), List.of("\"of no matter\"")), 700);
  }

  @Test
  void conditionsWithTwoValuesOfTheObject() {
    var rules =
        all(ORDERS, EQUALITIES).stream()
            .map(operator -> denied(operator, "\"{{ request.object.data.value }}\""))
            .toList();

    var objects =
        objects(values(), values()).stream()
            .filter(object -> !hasNumberAndUnusualText(object.mapping("data")))
            .toList();
    assertAgree(rules, sample(objects, Rounds.of(15, 1)), rules.size());
  }

  @Test
  void patterns() {
    var rules = PATTERNS.stream().map(EveryOperatorIT::pattern).toList();

    assertAgree(rules, objects(values(), List.of("1")), rules.size());
  }

  private void assertAgree(List<String> rules, List<Value.Mapping> objects, int converted) {
    var accepted = rules.stream().filter(rule -> conversion(List.of(rule)).converted()).toList();
    var sampled = sample(accepted, accepted.size() > 100 ? Rounds.of(4, 1) : 1);

    var outcome = comparison.compare(conversion(sampled), objects, Optional.empty());

    assertThat(accepted).hasSizeGreaterThanOrEqualTo(Math.min(converted, rules.size() / 2));
    assertThat(outcome.differences()).isEmpty();
    assertThat(outcome.judged()).isEqualTo(sampled.size() * objects.size());
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

  /// Every so many, beginning anywhere.
  private static <T> List<T> sample(List<T> whole, int each) {
    var sample = new ArrayList<T>();
    for (int i = new Random().nextInt(each); i < whole.size(); i += each) {
      sample.add(whole.get(i));
    }
    return sample;
  }
}
