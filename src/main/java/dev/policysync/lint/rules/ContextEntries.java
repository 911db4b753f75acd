package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.List;
import java.util.stream.Stream;

/// Reports context entries that Kyverno rejects.
///
/// Source: Kyverno 1.19, `validateRuleContext` and the functions that it calls,
/// `v2.ValidateContext` of cleanup policies, `GlobalContextEntrySpec.Validate`.
final class ContextEntries implements Rule {
  private static final List<String> SOURCES =
      List.of("configMap", "apiCall", "globalReference", "imageRegistry", "variable");
  private static final List<String> RESERVED =
      List.of(
          "images",
          "request",
          "serviceAccountName",
          "serviceAccountNamespace",
          "element",
          "elementIndex");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS049",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Invalid context entry",
        """
        An entry of a rule's `context` requires a name that is not predefined (`request`, `images`, `element` and \
        the like) and exactly one of `configMap`, `apiCall`, `globalReference`, `imageRegistry` and `variable`, each \
        with what it needs: a ConfigMap its name and namespace, a variable a value or a `jmesPath`. Cleanup policies \
        cannot use ConfigMaps and registries. A GlobalContextEntry whose call has `data` requires `method: POST`. \
        Kyverno rejects the policy.\
        """,
        "Correct the entry.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      rule.node().items("context").forEach(entry -> judge(entry, found));
    }
    if (policy.kind().type() == PolicyKind.Type.CLEANUP) {
      policy.spec().items("context").stream()
          .flatMap(entry ->
              Stream.of("configMap", "imageRegistry").flatMap(name -> entry.at(name).stream()))
          .forEach(node ->
              found.at(
                  node,
                  "a cleanup policy cannot use " + node.name() + "; Kyverno rejects it",
                  "Use apiCall."));
    }
    if (policy.kind().type() == PolicyKind.Type.CONTEXT_ENTRY) {
      policy.spec().at("apiCall").ifPresent(call -> judgeCall(call, found));
      policy
          .spec()
          .at("kubernetesResource")
          .filter(resource -> resource.text("group").filter(group -> !group.isEmpty()).isEmpty())
          .filter(resource -> resource.text("version").filter("v1"::equals).isEmpty())
          .ifPresent(resource ->
              found.at(
                  resource,
                  "the resource has no group; Kyverno rejects it",
                  "Set the group, e.g. apps."));
    }
  }

  private static void judgeCall(Node call, LintFindingSink found) {
    if (call.has("service") == call.text("urlPath").filter(path -> !path.isEmpty()).isPresent()) {
      found.at(call, "the call requires either service or urlPath; Kyverno rejects it");
    }
    if (call.has("data") && call.text("method").filter("POST"::equals).isEmpty()) {
      call.at("data")
          .ifPresent(data ->
              found.at(
                  data,
                  "a call with data requires method POST; Kyverno rejects it",
                  "Set method: POST."));
    }
  }

  private static void judge(Node entry, LintFindingSink found) {
    var name = entry.text("name").orElse("");
    if (name.isEmpty()) {
      found.at(entry, "the context entry has no name; Kyverno rejects it");
    }
    if (RESERVED.stream().anyMatch(word -> name.equals(word) || name.startsWith(word + "."))) {
      found.at(
          entry.at("name").orElse(entry),
          name + " is predefined, so no context entry can have this name; Kyverno rejects it",
          "Use another name.");
    }
    var sources = SOURCES.stream().flatMap(source -> entry.at(source).stream()).toList();
    if (sources.size() != 1) {
      found.at(
          entry,
          "the context entry has not exactly one of "
              + String.join(", ", SOURCES)
              + "; Kyverno rejects it");
      return;
    }
    var source = sources.getFirst();
    switch (source.name()) {
      case "configMap" -> {
        require(source, "name", found);
        require(source, "namespace", found);
      }
      case "globalReference" -> require(source, "name", found);
      case "imageRegistry" -> require(source, "reference", found);
      case "apiCall" -> {
        if (source.has("service")
            && source.text("urlPath").filter(path -> !path.isEmpty()).isPresent()) {
          found.at(source, "the call has both service and urlPath; Kyverno rejects it");
        }
      }
      default -> {
        var path = source.text("jmesPath").filter(text -> !text.isEmpty()).isPresent();
        if (!path && (!source.has("value") || source.has("default"))) {
          found.at(
              source,
              "the variable has neither a value nor a jmesPath, or a default without a jmesPath; Kyverno rejects it");
        }
      }
    }
  }

  private static void require(Node source, String field, LintFindingSink found) {
    if (source.text(field).filter(text -> !text.isEmpty()).isEmpty()) {
      found.at(source, source.name() + " has no " + field + "; Kyverno rejects it");
    }
  }
}
