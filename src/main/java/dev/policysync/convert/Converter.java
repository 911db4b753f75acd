package dev.policysync.convert;

import static java.util.stream.Collectors.toSet;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.Location;
import dev.policysync.convert.Conversion.Successor;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import dev.policysync.policy.feed.LocatedPolicies;
import dev.policysync.policy.feed.LocatedPolicy;
import dev.policysync.policy.kyverno.PolicyDependency;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Converts policies that Kyverno 1.20 no longer executes (legacy policies) into their successors,
/// or says why a policy has none. The conversion does no I/O. It is exact: a policy is refused
/// unless its successors give the same verdicts.
public final class Converter {
  private static final Set<PolicyKind> CONVERTED =
      EnumSet.of(PolicyKind.CLUSTER_POLICY, PolicyKind.NAMESPACED_POLICY);

  private static final Set<String> OF_RULE =
      Set.of(
          "celPreconditions",
          "context",
          "exclude",
          "match",
          "name",
          "preconditions",
          "skipBackgroundRequests",
          "validate");
  private static final Set<String> OF_VALIDATE =
      Set.of(
          "allowExistingViolations",
          "anyPattern",
          "cel",
          "deny",
          "failureAction",
          "failureActionOverrides",
          "foreach",
          "message",
          "pattern",
          "podSecurity");

  private static final List<String> JUDGING =
      List.of("pattern", "anyPattern", "deny", "foreach", "podSecurity", "cel");

  private final Map<PolicyId, PolicyId> origins = new HashMap<>();

  /// Returns whether Kyverno 1.20 no longer executes the policy.
  public static boolean isLegacy(LocatedPolicy policy) {
    return policy.id().kind().endsWithKyverno119();
  }

  /// Returns whether the policy is an exception. How an exception is converted depends on the
  /// policies that it names.
  public static boolean isException(LocatedPolicy policy) {
    return policy.id().kind() == PolicyKind.KYVERNO_EXCEPTION;
  }

  /// Returns the policies that an exception names.
  public static List<PolicyId> namedPolicies(LocatedPolicy exception) {
    return ExceptionSuccessors.named(exception.content());
  }

  /// Converts all legacy policies among these, in their order.
  ///
  /// Several files may define alternatives of one policy, and each is converted. A policy that one
  /// file defines twice is refused: only the last definition would be in force, but the successors
  /// of both would, as each has a name of its own.
  public List<Conversion> convert(LocatedPolicies written) {
    var twice =
        written.duplicates().stream()
            .filter(one -> one.inOneFile() || one.id().kind() == PolicyKind.KYVERNO_EXCEPTION)
            .map(LocatedPolicies.Duplicate::id)
            .collect(toSet());
    var legacy = written.policies().stream().filter(Converter::isLegacy).toList();
    var policies =
        legacy.stream()
            .filter(policy -> !isException(policy))
            .map(policy -> twice.contains(policy.id()) ? refuseDuplicate(policy) : convert(policy))
            .toList();
    var known = byId(policies);
    var inOrder = policies.iterator();
    return refuseIncompleteGroups(
        legacy.stream()
            .map(policy -> {
              if (!isException(policy)) {
                return inOrder.next();
              }
              return twice.contains(policy.id()) ? refuseDuplicate(policy) : convert(policy, known);
            })
            .toList());
  }

  /// Refuses more policies, until a policy and all exceptions that name it are either converted or
  /// refused together. An exception without a successor does not exempt from the policy's
  /// successors, which would block what it shields. The input may contain policies that were
  /// refused after their conversion, because their successors cannot be trusted.
  public List<Conversion> refuseIncompleteGroups(List<Conversion> conversions) {
    var now = conversions;
    while (true) {
      var next = refuseIncompleteGroupsOnce(now);
      if (converted(next) == converted(now)) {
        return next;
      }
      now = next;
    }
  }

  private static long converted(List<Conversion> conversions) {
    return conversions.stream().filter(Conversion::converted).count();
  }

  private List<Conversion> refuseIncompleteGroupsOnce(List<Conversion> conversions) {
    var known = byId(conversions.stream().filter(one -> !isException(one.policy())).toList());
    var staying = new LinkedHashMap<PolicyId, PolicyDependency>();
    conversions.stream()
        .map(Conversion::policy)
        .filter(Converter::isException)
        .forEach(exception ->
            staying.put(
                exception.id(), PolicyDependency.of(exception.id().kind(), exception.content())));
    conversions.stream()
        .filter(Conversion::converted)
        .forEach(one -> staying.remove(one.policy().id()));
    return conversions.stream()
        .map(one -> {
          if (!one.converted()) {
            return one;
          }
          return isException(one.policy())
              ? convert(one.policy(), known)
              : staying.entrySet().stream()
                  .filter(exception ->
                      exception.getValue().serves(one.policy().id(), Value.Mapping.EMPTY))
                  .findFirst()
                  .map(exception -> refuseForException(one.policy(), exception.getKey()))
                  .orElse(one);
        })
        .toList();
  }

  private static Conversion refuseForException(LocatedPolicy policy, PolicyId exception) {
    return new Conversion(
        policy,
        List.of(),
        List.of(
            new Refusal(
                policy.id().toString(),
                "",
                policy.position(),
                "a policy with an exception",
                "",
                exception + " does not exempt from its successors; write both by hand")));
  }

  /// Returns the conversions by policy. A policy that several documents define counts as refused:
  /// an exception would not say which of them it names.
  private static Map<PolicyId, Conversion> byId(List<Conversion> policies) {
    var known = new HashMap<PolicyId, Conversion>();
    policies.forEach(
        one -> known.merge(one.policy().id(), one, (_, other) -> refuseDuplicate(other.policy())));
    return known;
  }

  private static Conversion refuseDuplicate(LocatedPolicy policy) {
    var problem =
        Untranslatable.field(
            policy.content(),
            "metadata",
            "a policy that several documents define",
            "keep one of them");
    return refused(policy, problem);
  }

  /// Converts a policy or an exception.
  ///
  /// @param policies the conversions of the policies that the exception names
  public Conversion convert(LocatedPolicy policy, Map<PolicyId, Conversion> policies) {
    if (!isException(policy)) {
      return convertRules(policy);
    }
    try {
      var successors = new ExceptionSuccessors(policy).successors(policies);
      checkNames(policy, successors);
      return new Conversion(policy, successors, List.of());
    } catch (Untranslatable e) {
      return refused(policy, e);
    }
  }

  /// Converts a policy. The policy is refused if a successor of another policy of this converter
  /// has the same name as one of its own.
  public Conversion convert(LocatedPolicy policy) {
    return convert(policy, Map.of());
  }

  private Conversion convertRules(LocatedPolicy policy) {
    var successors = new ArrayList<Successor>();
    var refusals = new ArrayList<Refusal>();
    try {
      if (!CONVERTED.contains(policy.id().kind())) {
        throw Untranslatable.field(
            policy.content(),
            "kind",
            "a " + policy.id().kind().label(),
            "nothing proves that its successor deletes the same; write it by hand");
      }
      var settings = PolicySettings.of(policy.content().mapping("spec"));
      for (var rule : rules(policy)) {
        try {
          successors.addAll(successors(policy, rule, settings));
        } catch (Untranslatable e) {
          refusals.add(refusal(policy, rule.text("name").orElse(""), e));
        }
      }
      if (refusals.isEmpty()) {
        checkNames(policy, successors);
      }
    } catch (Untranslatable e) {
      refusals.add(refusal(policy, "", e));
    }
    return new Conversion(policy, refusals.isEmpty() ? successors : List.of(), refusals);
  }

  private static List<Value.Mapping> rules(LocatedPolicy policy) {
    var spec = policy.content().mapping("spec");
    var rules = spec.mappings("rules");
    if (rules.isEmpty() || rules.size() < spec.items("rules").size()) {
      throw Untranslatable.field(
          policy.content(), "spec", "a policy without rules", "write one, or remove the policy");
    }
    for (var rule : rules) {
      var name = rule.text("name").orElse("");
      if (name.isEmpty()) {
        throw Untranslatable.field(
            rule, "name", "a rule whose name is no text", "name it; quote a name such as \"yes\"");
      }
      if (name.startsWith("autogen-")) {
        throw Untranslatable.field(
            rule,
            "name",
            "a rule called autogen-…",
            "rename it; Kyverno drops it where autogen makes rules");
      }
    }
    return rules;
  }

  private List<Successor> successors(
      LocatedPolicy policy, Value.Mapping rule, PolicySettings settings) {
    var validate = rule.mapping("validate");
    var advice = "this part is not converted yet; write it in CEL by hand";
    Untranslatable.checkFields(rule, OF_RULE, field -> field, advice);
    Untranslatable.checkFields(validate, OF_VALIDATE, field -> "validate." + field, advice);
    settings.checkUsers(rule);
    if (JUDGING.stream().filter(field -> validate.field(field).isPresent()).count() != 1) {
      throw Untranslatable.value(
          validate,
          "a validate with not exactly one of pattern, anyPattern, deny, foreach, podSecurity"
              + " and cel",
          "write each as a rule of its own");
    }
    var successors = new RuleSuccessors(policy, rule, settings);
    if (validate.field("cel").isPresent()) {
      checkUnconditional(rule, "CEL");
      return successors.createForEach(scope -> CelRule.successorSpec(rule, scope));
    }
    if (!rule.items("celPreconditions").isEmpty()) {
      throw Untranslatable.field(
          rule,
          "celPreconditions",
          "celPreconditions of a pattern",
          "Kyverno ignores them there; remove them");
    }
    if (validate.field("podSecurity").isPresent()) {
      checkUnconditional(rule, "podSecurity");
      return successors.createForAll(
          new PodSecurityRule(policy.content(), rule, settings.enforces(rule)).spec());
    }
    if (ConditionalRule.appliesTo(rule)) {
      checkReadsNothing(policy, rule);
      return successors.createForEach(scope -> new ConditionalRule(rule, scope, settings).spec());
    }
    return successors.createForAll(
        new PatternRule(policy.content(), rule, settings.enforces(rule)).spec());
  }

  private static void checkUnconditional(Value.Mapping rule, String what) {
    for (var field : List.of("context", "preconditions")) {
      if (rule.field(field).isPresent()) {
        throw Untranslatable.field(
            rule, field, field + " of " + what, "write variables and match conditions in CEL");
      }
    }
  }

  /// Refuses a Policy whose context reads from the cluster: both forms may read from the policy's
  /// namespace only, each in a way of its own.
  private static void checkReadsNothing(LocatedPolicy policy, Value.Mapping rule) {
    if (!policy.id().kind().namespaced()) {
      return;
    }
    var holders = new ArrayList<>(rule.mapping("validate").mappings("foreach"));
    holders.add(rule);
    for (var holder : holders) {
      for (var entry : holder.mappings("context")) {
        if (entry.field("variable").isEmpty()) {
          throw Untranslatable.value(
              entry,
              "a context that is read of the cluster, in a Policy",
              "write a NamespacedValidatingPolicy, whose resource.Get() needs no namespace");
        }
      }
    }
  }

  private void checkNames(LocatedPolicy policy, List<Successor> successors) {
    for (var successor : successors) {
      var origin = origins.putIfAbsent(successor.id(), policy.id());
      if (origin != null && !origin.equals(policy.id())) {
        throw Untranslatable.field(
            policy.content(),
            "metadata",
            "a name that another successor has",
            "rename the policy or the rule; both would become " + successor.name());
      }
    }
  }

  private static Conversion refused(LocatedPolicy policy, Untranslatable e) {
    return new Conversion(policy, List.of(), List.of(refusal(policy, "", e)));
  }

  private static Refusal refusal(LocatedPolicy policy, String rule, Untranslatable e) {
    var reason = e.reason();
    var locations = policy.nodeLocations();
    var start = new Location(policy.position().line(), policy.position().column());
    var inField =
        reason
            .field()
            .filter(_ -> reason.at() instanceof Value.Mapping)
            .flatMap(field -> locations.ofName((Value.Mapping) reason.at(), field));
    var location = inField.orElseGet(() -> locations.of(reason.at(), start));
    return new Refusal(
        policy.id().toString(),
        rule,
        Position.of(policy.position().source(), policy.position().document(), location),
        reason.construct(),
        reason.name(),
        reason.advice());
  }
}
