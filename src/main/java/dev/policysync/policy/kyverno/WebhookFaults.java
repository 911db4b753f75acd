package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.admission.FieldFault;
import dev.policysync.policy.admission.LabelSelectors;
import dev.policysync.policy.admission.ResourceRules;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Finds the parts of a CEL policy that break Kyverno's webhook configuration.
///
/// Kyverno copies the rules and selectors of its CEL policies into one webhook configuration. The
/// CRDs accept values there that the API server rejects in a webhook. The policy becomes ready, but
/// Kyverno can no longer write the configuration: no change of any policy has an effect, until the
/// policy is removed (Kyverno 1.19.0 on Kubernetes 1.36.3).
///
/// Source: Kyverno 1.19.0, `buildWebhookRules`, `sortedRules`, `CreateMatchConditions`.
public final class WebhookFaults {
  private static final Set<PolicyKind.Type> TYPES =
      Set.of(
          PolicyKind.Type.VALIDATING,
          PolicyKind.Type.IMAGE_VALIDATING,
          PolicyKind.Type.MUTATING,
          PolicyKind.Type.GENERATING);
  private static final Value ONE_OPERATION = new Value.Sequence(List.of(new Value.Text("CREATE")));
  private static final BigDecimal LONGEST_TIMEOUT = BigDecimal.valueOf(30);

  /// How many match conditions a webhook may have.
  private static final int MOST_CONDITIONS = 64;

  private static final String CRON_JOBS = "cronjobs";
  private static final Set<String> OTHER_CONTROLLERS =
      Set.of("daemonsets", "deployments", "replicasets", "statefulsets", "jobs");

  /// The functions and variables that the API server does not have. Kyverno does not copy the
  /// conditions of a policy if one of them does not compile in the API server.
  private static final Pattern KYVERNOS_OWN =
      Pattern.compile(
          "(?<![.\\w])(variables|images|resource|exceptions|globalContext|http|generator|user"
              + "|hash|json|yaml|time|random|x509|image|md5|sha1|sha256|parseImageReference"
              + "|parseServiceAccount|namespaceObject|listObjToMap|isImage|toCron)\\b");

  private WebhookFaults() {}

  /// Returns the kinds whose policies are part of Kyverno's webhook configuration in this way.
  public static boolean mayHaveAny(PolicyKind kind) {
    return kind.usesCel() && !kind.builtIn() && TYPES.contains(kind.type());
  }

  /// Returns what breaks the webhook configuration, with paths in the policy; empty if nothing
  /// does.
  public static List<FieldFault> of(PolicyKind kind, Value.Mapping policy) {
    var spec = policy.mapping("spec");
    if (!mayHaveAny(kind) || isOff(spec)) {
      return List.of();
    }
    var constraints = spec.mapping("matchConstraints");
    var faults = new ArrayList<FieldFault>();
    var rules = constraints.items("resourceRules");
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i) instanceof Value.Mapping rule && fitsTheSchema(rule)) {
        var step = "[" + i + "]";
        ResourceRules.faults(written(kind, rule))
            .forEach(fault -> faults.add(fault.below("matchConstraints", "resourceRules", step)));
      }
    }
    selectors(kind)
        .forEach(selector ->
            LabelSelectors.faults(constraints.mapping(selector))
                .forEach(fault -> faults.add(fault.below("matchConstraints", selector))));
    addTimeout(spec, faults);
    addConditions(spec, faults);
    return faults.stream().map(fault -> fault.below("spec")).toList();
  }

  /// Returns whether the lists of a rule are lists: the API server rejects others.
  private static boolean fitsTheSchema(Value.Mapping rule) {
    return Stream.of("operations", "apiGroups", "apiVersions", "resources")
        .flatMap(name -> rule.field(name).stream())
        .allMatch(Value.Sequence.class::isInstance);
  }

  private static boolean isOff(Value.Mapping spec) {
    return spec.mapping("evaluation")
        .mapping("admission")
        .field("enabled")
        .equals(Optional.of(new Value.Bool(false)));
  }

  /// Returns a rule as Kyverno writes it: sorted, and of a generating policy with other operations.
  private static Value.Mapping written(PolicyKind kind, Value.Mapping rule) {
    var sorted = rule.texts("resources").stream().sorted().<Value>map(Value.Text::new).toList();
    var written = rule.with("resources", new Value.Sequence(sorted));
    return kind.type() == PolicyKind.Type.GENERATING
        ? written.with("operations", ONE_OPERATION)
        : written;
  }

  /// Returns the selectors that Kyverno copies: a namespaced policy has that of its namespace.
  private static Stream<String> selectors(PolicyKind kind) {
    return kind.namespaced()
        ? Stream.of("objectSelector")
        : Stream.of("namespaceSelector", "objectSelector");
  }

  private static void addTimeout(Value.Mapping spec, List<FieldFault> faults) {
    if (spec.mapping("webhookConfiguration").field("timeoutSeconds").orElse(Value.Null.NULL)
            instanceof Value.Numeric(var literal)
        && !isTimeout(new BigDecimal(literal))) {
      faults.add(
          new FieldFault(
              List.of("webhookConfiguration", "timeoutSeconds"),
              "the timeout is not between 1 and 30 seconds"));
    }
  }

  private static boolean isTimeout(BigDecimal seconds) {
    return seconds.compareTo(BigDecimal.ONE) >= 0 && seconds.compareTo(LONGEST_TIMEOUT) <= 0;
  }

  private static void addConditions(Value.Mapping spec, List<FieldFault> faults) {
    var conditions = spec.mappings("matchConditions");
    if (!conditions.stream().allMatch(WebhookFaults::isCopied)) {
      return;
    }
    var prefixes = autogenPrefixes(spec);
    if (conditions.size() * prefixes.size() > MOST_CONDITIONS) {
      faults.add(
          new FieldFault(
              List.of("matchConditions"),
              "a webhook has at most 64 conditions"
                  + (prefixes.size() == 1
                      ? ""
                      : "; Kyverno writes each "
                          + prefixes.size()
                          + " times, for Pods and for"
                          + " their controllers")));
    }
    for (int i = 0; i < conditions.size(); i++) {
      var name = conditions.get(i).text("name").orElse("");
      if (!prefixes.stream().allMatch(prefix -> LabelSelectors.isQualifiedName(prefix + name))) {
        faults.add(
            new FieldFault(
                List.of("matchConditions", "[" + i + "]", "name"),
                "the name is too long: with the prefix that Kyverno adds for Pods and their"
                    + " controllers (autogen-defaults-) it has more than 63 characters"));
      }
    }
  }

  private static boolean isCopied(Value.Mapping condition) {
    return LabelSelectors.isQualifiedName(condition.text("name").orElse(""))
        && condition
            .text("expression")
            .filter(expression -> !KYVERNOS_OWN.matcher(expression).find())
            .isPresent();
  }

  /// Returns what Kyverno puts before the names of match conditions, one for each copy of them.
  private static List<String> autogenPrefixes(Value.Mapping spec) {
    if (!autogenerates(spec.mapping("matchConstraints"))) {
      return List.of("");
    }
    var controllers =
        spec.mapping("autogen").mapping("podControllers").field("controllers").isPresent()
            ? spec.mapping("autogen").mapping("podControllers").texts("controllers")
            : List.of("deployments", CRON_JOBS);
    var prefixes = new ArrayList<>(List.of("autogen-"));
    if (controllers.contains(CRON_JOBS)) {
      prefixes.add("autogen-cronjobs-");
    }
    if (controllers.stream().anyMatch(OTHER_CONTROLLERS::contains)) {
      prefixes.add("autogen-defaults-");
    }
    return prefixes;
  }

  /// Source: Kyverno 1.19.0, `CanAutoGen` of CEL policies.
  private static boolean autogenerates(Value.Mapping constraints) {
    var selector = constraints.mapping("objectSelector");
    var rules = constraints.mappings("resourceRules");
    return rules.size() == 1
        && selector.mapping("matchLabels").fields().isEmpty()
        && selector.items("matchExpressions").isEmpty()
        && constraints.items("excludeResourceRules").isEmpty()
        && rules.getFirst().items("resourceNames").isEmpty()
        && rules.getFirst().texts("apiGroups").equals(List.of(""))
        && rules.getFirst().texts("apiVersions").equals(List.of("v1"))
        && rules.getFirst().texts("resources").equals(List.of("pods"));
  }
}
