package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.Admission;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Reports external data that a policy reads during admission, from services, registries and
/// ConfigMaps.
final class ExternalCalls implements Rule {
  private static final AffectedVersions BLOCKED = AffectedVersions.since("1.18");
  private static final Pattern HTTP =
      Pattern.compile("\\bhttp\\s*\\.\\s*([Gg]et|[Pp]ost|[Cc]lient)\\s*\\(");
  private static final Pattern IMAGE_DATA = Pattern.compile("\\b(GetMetadata|getImageData)\\s*\\(");
  private static final Pattern URL = Pattern.compile("https?://(\\[[^\\]]*\\]|[^/:'\"\\s?]+)");
  private static final Pattern OWN_HOST =
      Pattern.compile(
          "localhost|127(\\.\\d+){3}|\\[::1\\]|169\\.254\\.169\\.25[34]|metadata\\.google\\.internal");

  /// The fields whose content a rule compares with, generates or patches. A `context` in them is
  /// not Kyverno's.
  private static final Set<String> FREE =
      Set.of("pattern", "anyPattern", "data", "patchStrategicMerge", "template");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS027",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "External call during admission",
        """
        A service (`apiCall.service`, `http.Get` and `http.Post` in CEL) or a registry (`imageRegistry`, image \
        metadata in CEL) that is called during admission adds its latency to every matching request. If the policy \
        fails closed, which is the default, requests are rejected while the call fails; a missing ConfigMap has the same effect (reported as a note). A validating CEL policy with Deny \
        rejects them regardless of `failurePolicy`. Policies for background scans only are not reported, nor \
        rules of a ClusterPolicy that only audit or generate: Kyverno evaluates them after it has answered.

        Since 1.18 Kyverno's CEL no longer calls its own host or the cloud metadata service (`127.0.0.0/8`, `::1`, \
        `169.254.169.254`, `metadata.google.internal`), and rejects `http.Get` and `http.Post` in namespaced CEL \
        policies unless `--allowHTTPInNamespacedPolicies` is set; both are errors.\
        """,
        "Use a GlobalContextEntry, which is loaded in advance, or set failurePolicy: Ignore (and"
            + " validationActions: [Audit] in CEL policies).");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    var type = policy.kind().type();
    var spec = policy.spec().mapping();
    var closed = Admission.judgesAndFailsClosed(type, spec) || Admission.refusesOnError(type, spec);
    if (closed && !policy.kind().usesCel()) {
      LegacyPolicy.rulesOf(policy).stream()
          .filter(ExternalCalls::holdsUpRequests)
          .flatMap(rule -> contexts(rule.node()))
          .forEach(context -> judgeContext(context, found));
    }
    CelExpressions.of(policy).forEach(text -> judgeCel(text, policy, closed, found));
  }

  /// Returns whether requests wait for the rule. Rules that only audit are evaluated after the
  /// response (Kyverno 1.19, `resourceHandlers.Validate`, which submits `HandleValidationAudit` to
  /// its audit pool), and so are rules that generate (`handleBackgroundApplies`).
  private static boolean holdsUpRequests(LegacyRule rule) {
    return rule.node().has("mutate") || rule.node().has("verifyImages") || rule.blocks();
  }

  private static Stream<Node> contexts(Node node) {
    return node.name().equals("context")
        ? node.children()
        : node.children()
            .filter(child -> !FREE.contains(child.name()))
            .flatMap(ExternalCalls::contexts);
  }

  private static void judgeContext(Node context, LintFindingSink found) {
    context
        .at("apiCall", "service")
        .ifPresent(node ->
            found.at(node, "every request calls a service and is rejected if the call fails"));
    context
        .at("imageRegistry")
        .ifPresent(node ->
            found.at(node, "every request calls a registry and is rejected if the call fails"));
    context
        .at("configMap")
        .ifPresent(node ->
            found.at(
                node,
                LintSeverity.NOTE,
                "every request is rejected while this ConfigMap is missing",
                "Create it before the policy, or define a default with a variable."));
  }

  private static void judgeCel(
      Node text, LintedPolicy policy, boolean closed, LintFindingSink found) {
    var expression = text.text().orElse("");
    var http = HTTP.matcher(expression);
    if (http.find()) {
      if (policy.kind().namespaced() && found.mayBeAffected(BLOCKED)) {
        found.at(
            text,
            LintSeverity.ERROR,
            "since 1.18 Kyverno rejects http." + http.group(1) + " in a namespaced policy",
            "Move the call to a cluster-scoped policy or a GlobalContextEntry.");
      } else if (!reportBlockedHost(text, found) && closed) {
        found.at(
            text, http.start(), "every request calls a service and is rejected if the call fails");
      }
    }
    var image = IMAGE_DATA.matcher(expression);
    if (closed && image.find()) {
      found.at(
          text, image.start(), "every request calls a registry and is rejected if the call fails");
    }
  }

  /// Reports a host that Kyverno does not call, and returns whether the expression names one.
  private static boolean reportBlockedHost(Node text, LintFindingSink found) {
    var url = URL.matcher(text.text().orElse(""));
    if (!found.mayBeAffected(BLOCKED) || !url.find() || !OWN_HOST.matcher(url.group(1)).matches()) {
      return false;
    }
    found.at(
        text,
        LintSeverity.ERROR,
        "since 1.18 Kyverno's CEL does not call " + url.group(1),
        "Call a Service in the cluster, or ask the operator of Kyverno to change --httpBlocklist.");
    return true;
  }
}
