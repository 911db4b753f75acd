package dev.policysync.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.PolicyReader;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Variables that are made of one another: each is computed where it is used, so that the work may
/// double with each.
class ContextVariablesTest {
  @Test
  void areConvertedWhereAFewAreMadeOfOneAnother() {
    assertThat(converted(8, "v%d").converted()).isTrue();
  }

  @Test
  @Timeout(60)
  void areRefusedWhereItWouldTakeForEver() {
    var conversion = converted(60, "v%1$d || v%1$d");

    assertThat(conversion.refusals())
        .singleElement()
        .satisfies(refusal -> {
          assertThat(refusal.rule()).isEqualTo("chained");
          assertThat(refusal.construct())
              .isEqualTo("context variables that are made of one another many times over");
        });
  }

  /// Whatever goes through them writes the same text in every run, and a policy keeps its digest.
  @Test
  void areComputedInTheOrderInWhichTheyAreDefined() {
    var names = List.of("zulu", "mike", "alpha", "yankee", "kilo", "bravo", "xray", "golf");
    var roots = Roots.ofRequest(Place.OBJECT);

    for (var name : names) {
      roots = roots.with(name, _ -> Term.of("1", Set.of(JsonType.NUMBER)));
    }

    assertThat(roots.named().keySet()).containsExactlyElementsOf(names);
  }

  @Test
  void areRefusedInExpressionsThatAreNestedTooDeeply() {
    for (var expression :
        List.of(
            "to_upper(".repeat(60) + "v0" + ")".repeat(60),
            "v0" + " || v0".repeat(300),
            "(".repeat(100_000) + "v0" + ")".repeat(100_000))) {
      assertThat(of("{name: v0, variable: {value: a}}", expression).refusals())
          .singleElement()
          .extracting(Refusal::construct)
          .isEqualTo("JMESPath that is nested more than 32 levels deep");
    }
  }

  /// In requests about a Namespace it is that one's name, and in scans there is none.
  @Test
  void areRefusedOfTheNamespaceOfARequestAboutNamespaces() {
    var context =
        "{name: v0, apiCall: {urlPath: '/api/v1/namespaces/{{request.namespace}}/pods', jmesPath:"
            + " 'items[0].spec.nodeName'}}";

    assertThat(of(context, "v0").refusals()).isEmpty();
    assertThat(of("Namespace", context, "v0").refusals())
        .singleElement()
        .extracting(Refusal::construct)
        .isEqualTo("request.namespace in a context of a rule about Namespaces");
  }

  /// The name of the object stands in an expression as a character that nobody writes; who writes
  /// it all the same means that character.
  @Test
  void takeNoLiteralForTheNameOfTheObject() {
    var variable = "{name: v0, variable: {jmesPath: 'request.object.data.a || `\"\\ue0000\"`'}}";
    var apiCall =
        "{name: v0, apiCall: {urlPath: /api/v1/pods, jmesPath: 'items[?metadata.uid =="
            + " ''{{ request.object.metadata.uid }}'' || metadata.name == `\"\\ue0000\"`] |"
            + " [0].spec'}}";

    assertThat(of(variable, "v0").refusals()).isEmpty();
    assertThat(of(apiCall, "v0").refusals())
        .singleElement()
        .extracting(Refusal::construct)
        .asString()
        .startsWith("a variable in JMESPath that is no text in quotes");
  }

  /// @param reference to the variable before each
  private static Conversion converted(int variables, String reference) {
    var context =
        IntStream.rangeClosed(1, variables)
            .mapToObj(number ->
                "{name: v%d, variable: {jmesPath: '%s', default: a}}"
                    .formatted(number, reference.formatted(number - 1)))
            .collect(Collectors.joining(", "));
    return of(
        "{name: v0, variable: {jmesPath: request.object.data.a, default: a}}, " + context,
        "v" + variables);
  }

  private static Conversion of(String context, String expression) {
    return of("v1/ConfigMap", context, expression);
  }

  private static Conversion of(String kind, String context, String expression) {
    var policy =
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata: {name: chained}
        spec:
          rules:
            - name: chained
              match: {any: [{resources: {kinds: [%s], operations: [CREATE, UPDATE]}}]}
              context: [%s]
              validate:
                failureAction: Audit
                deny: {conditions: {any: [{key: "{{ %s }}", operator: Equals, value: a}]}}
        """
            .formatted(kind, context, expression);
    var read =
        PolicyReader.readLocated(List.of(new Manifest("policies.yaml", policy.getBytes(UTF_8))));
    return new Converter().convert(read.policies().getFirst());
  }
}
