package dev.policysync.lint.rules;

import static dev.policysync.lint.LintSeverity.ERROR;
import static dev.policysync.lint.LintSeverity.NOTE;
import static dev.policysync.lint.LintSeverity.WARNING;
import static dev.policysync.lint.rules.LegacyRule.each;

import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.Admission;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.FailureAction;
import dev.policysync.policy.kyverno.Glob;
import dev.policysync.policy.kyverno.KindName;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Rules about what a policy blocks or deletes, and when that is more than intended.
final class Blocking {
  private Blocking() {}

  static List<Rule> rules() {
    return List.of(
        SYSTEM_NAMESPACES,
        FAIL_CLOSED,
        FORGOTTEN_CONTAINERS,
        NO_ACTIONS,
        LOCKOUT,
        EXTERNAL_CALL,
        EVERY_OPERATION,
        OVERRIDE);
  }

  private static final Rule SYSTEM_NAMESPACES =
      Rule.warning(
          "PS005",
          "Enforce without excluding system namespaces",
          """
          A rule that blocks in all namespaces also blocks in `kube-system` and in Kyverno's namespace: a DNS or \
          network Pod that violates it cannot restart, and neither can anything that depends on it. The only other \
          protection is the webhook's namespaceSelector in Kyverno's chart, which may be managed by another team.

          A rule is not reported if it matches selected namespaces only, excludes `kube-system` by name or selector, \
          checks the namespace in a condition, or does not block the creation of Pods: a Pod that runs starts again \
          without a new controller, ConfigMap or Secret. A rule for images of one repository is not reported either.\
          """,
          "Exclude kube-system and the namespace of Kyverno, by "
              + "exclude.any[].resources.namespaces, or in CEL by matchConstraints.namespaceSelector.",
          Blocking::judgeSystemNamespaces);

  /// Returns the resources of some kinds of Kubernetes, and `*` for all: `pods` for `Pod`.
  static Set<String> resources(Set<String> kinds) {
    return kinds.stream()
        .map(kind -> kind.equals("*") ? kind : kind.toLowerCase(Locale.ROOT) + "s")
        .collect(Collectors.toUnmodifiableSet());
  }

  /// The kinds whose creation starts Pods in these namespaces again.
  private static final Set<String> STARTING_KINDS = Set.of("*", "Pod");

  private static final String CREATE = "CREATE";
  private static final String SYSTEM = "kube-system";
  private static final List<String> NAMESPACE_TESTS =
      List.of("request.namespace", "metadata.namespace", "namespaceObject", "request.userInfo");

  private static void judgeSystemNamespaces(LintedPolicy policy, LintFindingSink found) {
    if (policy.kind().namespaced()) {
      return;
    }
    for (var rule : LegacyRule.of(policy)) {
      var enforced = rule.blocksIn(SYSTEM);
      if (enforced.isPresent()
          && matchesSystem(rule)
          && !excludesSystem(rule)
          && mayBlockCreation(rule)
          && !isForImagesOfOthers(rule.node().all("verifyImages[].imageReferences[]"))
          && !looksAtNamespace(rule.node())) {
        found.at(
            enforced.get(),
            rule.label()
                + " also blocks in kube-system and Kyverno's namespace; Pods that violate it"
                + " there cannot restart");
      }
    }
    policy
        .spec()
        .at("matchConstraints")
        .filter(constraints ->
            policy.denies()
                && constraints
                    .all("namespaceSelector", "objectSelector", "excludeResourceRules")
                    .findAny()
                    .isEmpty()
                && policy.resourceRules().anyMatch(Blocking::startsPods)
                && !isForImagesOfOthers(policy.spec().all("matchImageReferences[]"))
                && !looksAtNamespace(policy.spec()))
        .ifPresent(constraints ->
            found.at(
                constraints,
                "this policy also denies in kube-system and Kyverno's namespace; Pods that violate"
                    + " it there cannot restart"));
  }

  private static boolean startsPods(Node rule) {
    var operations = rule.texts("operations");
    return (operations.isEmpty() || operations.contains(CREATE) || operations.contains("*"))
        && rule.texts("resources").stream()
            .anyMatch(resource -> Set.of("pods", "*", "*/*").contains(resource));
  }

  private static boolean startsPods(ResourceFilter filter) {
    var resources = filter.block().mapping("resources");
    var operations = resources.texts("operations");
    return (operations.isEmpty() || operations.contains(CREATE))
        && resources.texts("kinds").stream()
            .filter(kind -> !kind.matches("([^/]*/)*[A-Z]\\w*/[a-z]+"))
            .anyMatch(kind -> isBuiltInOf(STARTING_KINDS, KindName.of(kind)));
  }

  private static final Pattern OPERATION = Pattern.compile("\\{\\{\\s*request\\.operation\\b.*");
  private static final Set<String> SELECTING = Set.of("Equals", "Equal", "In", "AnyIn", "AllIn");

  /// Returns whether the preconditions of a rule let it judge the creation of objects.
  private static boolean mayBlockCreation(LegacyRule rule) {
    return rule.node()
        .all("preconditions.all[]")
        .filter(condition ->
            OPERATION.matcher(condition.text("key")).matches()
                && SELECTING.contains(condition.text("operator")))
        .allMatch(condition ->
            condition.text("value").contains(CREATE)
                || condition.text("value").contains("{{")
                || condition.texts("value").contains(CREATE));
  }

  private static final Pattern OF_SYSTEM =
      Pattern.compile(
          "(registry\\.k8s\\.io|k8s\\.gcr\\.io|(docker\\.io/)?(library|kyverno)|(ghcr\\.io|reg\\.kyverno\\.io)/kyverno|quay\\.io)/.*");

  /// Returns whether all references name a repository that has no images of the system.
  private static boolean isForImagesOfOthers(Stream<Node> references) {
    var globs = references.map(node -> node.isText() ? node.text() : node.text("glob")).toList();
    return !globs.isEmpty()
        && globs.stream()
            .allMatch(
                glob -> glob.matches("[\\w.:-]+/[\\w.-]+.*") && !OF_SYSTEM.matcher(glob).matches());
  }

  private static boolean matchesSystem(LegacyRule rule) {
    return rule.node().has("match", "all")
        ? rule.match().stream().allMatch(Blocking::matchesSystem)
        : rule.match().stream().anyMatch(Blocking::matchesSystem);
  }

  private static boolean matchesSystem(ResourceFilter filter) {
    return startsPods(filter)
        && (filter.namespaces().isEmpty() || namesSystem(filter))
        && !filter.asksFor("namespaceSelector")
        && !filter.asksForObject();
  }

  private static boolean namesSystem(ResourceFilter filter) {
    return filter.namespaces().stream().anyMatch(pattern -> Glob.matches(pattern, SYSTEM));
  }

  private static boolean excludesSystem(LegacyRule rule) {
    return rule.exclude().stream()
        .anyMatch(filter -> filter.asksFor("namespaceSelector") || namesSystem(filter));
  }

  private static boolean looksAtNamespace(Node node) {
    return node.allTexts().anyMatch(text -> NAMESPACE_TESTS.stream().anyMatch(text::contains));
  }

  static boolean isBuiltInOf(Set<String> kinds, KindName kind) {
    return kind.mayBeBuiltIn() && kinds.contains(kind.kind());
  }

  private static final Rule FAIL_CLOSED =
      Rule.warning(
          "PS006",
          "Fails closed on resources required for cluster startup",
          """
          With `failurePolicy: Fail`, which is the default, the API server rejects every matching request while \
          Kyverno is unavailable. For Nodes, certificate requests and `*` this can lock up the whole cluster: after a \
          restart, nodes cannot register, and Kyverno's Pods have nowhere to run (kyverno#2869, #11122, #16177). \
          Kyverno 1.19 has `--excludeBootstrapResources` to prevent this, off by default.

          Only blocking rules are reported, and no Pods or Secrets: Kyverno's chart excludes kube-system and Kyverno's \
          own namespace from its webhooks. An installation without that (`config.webhooks`, \
          `config.excludeKyvernoNamespace`) needs `Ignore` for them, too.\
          """,
          "Set spec.webhookConfiguration.failurePolicy: Ignore (in CEL policies "
              + "spec.failurePolicy), or suppress this finding with a reason and run several "
              + "replicas of Kyverno on several nodes.",
          Blocking::judgeFailurePolicy);

  private static final Set<String> STARTUP_KINDS = Set.of("Node", "CertificateSigningRequest", "*");
  private static final Set<String> STARTUP_RESOURCES = resources(STARTUP_KINDS);

  private static void judgeFailurePolicy(LintedPolicy policy, LintFindingSink found) {
    if (policy.kind().namespaced() || !policy.failsClosed()) {
      return;
    }
    startupKinds(policy)
        .findFirst()
        .ifPresent(kind ->
            found.at(
                kind,
                "while Kyverno is unavailable, the API server rejects every write of "
                    + (kind.isText("*") ? "anything" : kind.text())
                    + ", because this policy fails closed"));
  }

  private static Stream<Node> startupKinds(LintedPolicy policy) {
    if (policy.hasRules()) {
      return LegacyRule.of(policy).stream()
          .filter(LegacyRule::blocks)
          .flatMap(rule -> rule.kindNodes().stream())
          .filter(node -> isBuiltInOf(STARTUP_KINDS, KindName.of(node.text())));
    }
    return policy.denies()
            && !policy.spec().has("matchConstraints", "namespaceSelector")
            && !policy.spec().has("matchConstraints", "objectSelector")
        ? policy.resources().filter(node -> STARTUP_RESOURCES.contains(node.text()))
        : Stream.empty();
  }

  private static final Rule FORGOTTEN_CONTAINERS =
      Rule.warning(
          "PS013",
          "Init or ephemeral containers not covered",
          """
          A Pod runs `containers`, `initContainers` and `ephemeralContainers`. A rule that covers only the first \
          list can be bypassed with the other two: an init container has the same privileges, and `kubectl debug` \
          adds an ephemeral container. Rules on probes, ports and resources are not reported, because the other \
          lists do not support them.\
          """,
          "Cover initContainers and ephemeralContainers as well, in a pattern as "
              + "=(initContainers) and =(ephemeralContainers).",
          Blocking::judgeContainers);

  private static final Pattern ANCHOR = Pattern.compile("^[=X^<+]?\\((.*)\\)$");
  private static final Pattern CONTAINERS = Pattern.compile("spec\\.\\??containers\\b");
  private static final Pattern LOOP =
      Pattern.compile(
          "[cC]ontainers\\??(?:\\.orValue\\(\\[\\]\\))?\\s*\\.\\s*\\w+\\(\\s*(\\w+)\\s*,");
  private static final Pattern PATH =
      Pattern.compile("[cC]ontainers\\[[^\\]]*\\]\\.\\[?\\s*(\\w+)");

  /// The fields that init and ephemeral containers cannot have, or that are harmless there.
  private static final Set<String> HARMLESS =
      Set.of(
          "name",
          "resources",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle",
          "ports");

  private static void judgeContainers(LintedPolicy policy, LintFindingSink found) {
    var forgotten =
        Stream.of("initContainers", "ephemeralContainers")
            .filter(list ->
                policy.spec().selfAndDescendants().stream()
                    .noneMatch(
                        node -> unanchored(node.name()).equals(list) || node.text().contains(list)))
            .toList();
    if (forgotten.isEmpty()) {
      return;
    }
    var message =
        " covers only containers; " + String.join(" and ", forgotten) + " are not covered";
    for (var rule : LegacyRule.of(policy)) {
      if (rule.blocks() && rule.kinds().stream().anyMatch(KindName::isPod)) {
        rule.node()
            .at("validate")
            .flatMap(Blocking::containers)
            .ifPresent(node -> found.at(node, rule.label() + message));
      }
    }
    if (policy.denies() && policy.resources().anyMatch(node -> node.isText("pods"))) {
      containers(policy.spec()).ifPresent(node -> found.at(node, "this policy" + message));
    }
  }

  private static Optional<Node> containers(Node part) {
    return part.selfAndDescendants().stream()
        .filter(node -> isPattern(node) || isExpression(node))
        .findFirst();
  }

  private static boolean isPattern(Node node) {
    return unanchored(node.name()).equals("containers")
        && node.items().stream()
            .flatMap(item -> item.fields().stream())
            .anyMatch(field -> !HARMLESS.contains(unanchored(field.name())));
  }

  private static boolean isExpression(Node node) {
    return !node.name().equals("message")
        && CONTAINERS.matcher(node.text()).find()
        && !isHarmless(node);
  }

  /// Returns whether an expression reads only harmless fields of containers:
  /// `containers[].ports[]`, `containers.all(c, has(c.ports))`, or `element.ports` beside a list of
  /// containers. An expression without a visible field may read any field.
  private static boolean isHarmless(Node node) {
    var text = node.text();
    var asked = new ArrayList<String>();
    var loops = LOOP.matcher(text);
    while (loops.find()) {
      fields(Pattern.quote(loops.group(1)), text).forEach(asked::add);
    }
    PATH.matcher(text).results().map(found -> found.group(1)).forEach(asked::add);
    if (node.name().equals("list")) {
      var each =
          node.parent().stream().flatMap(above -> above.selfAndDescendants().stream()).toList();
      each.stream().flatMap(part -> fields("element\\d*", part.text())).forEach(asked::add);
      each.stream()
          .filter(part -> part.name().equals("pattern") || part.name().equals("anyPattern"))
          .flatMap(part ->
              Stream.concat(
                  part.fields().stream(),
                  part.items().stream().flatMap(item -> item.fields().stream())))
          .map(field -> unanchored(field.name()))
          .forEach(asked::add);
    }
    return !asked.isEmpty() && HARMLESS.containsAll(asked);
  }

  private static Stream<String> fields(String variable, String text) {
    return Pattern.compile("(?<![\\w.])" + variable + "\\.\\??(\\w+)")
        .matcher(text)
        .results()
        .map(found -> found.group(1));
  }

  private static String unanchored(String name) {
    if (!name.endsWith(")")) {
      return name;
    }
    var matcher = ANCHOR.matcher(name);
    return matcher.matches() ? matcher.group(1) : name;
  }

  private static final Rule NO_ACTIONS =
      Rule.warning(
              "PS015",
              "Missing validationActions default to Deny",
              """
              A ValidatingPolicy or ImageValidatingPolicy without `validationActions` denies requests, while a ClusterPolicy without an action only audits. A ValidatingAdmissionPolicyBinding without the field is rejected by the API server and reported as an error.\
              """,
              "Set validationActions: [Deny], or [Audit] to report only.",
              Blocking::judgeValidationActions)
          .since("1.14");

  private static void judgeValidationActions(LintedPolicy policy, LintFindingSink found) {
    var spec = policy.spec();
    if (!spec.items("validationActions").isEmpty()) {
      return;
    }
    if (policy.type() == PolicyKind.Type.VALIDATING_BINDING) {
      found.at(
          spec.atOrSelf("validationActions"),
          ERROR,
          "the binding has no validationActions, so the API server rejects it");
    } else if (policy.type().validatesByCel()) {
      found.at(
          spec.atOrSelf("validationActions"),
          "the policy does not set validationActions, so it denies");
    }
  }

  private static final Rule LOCKOUT =
      Rule.warning(
          "PS017",
          "Policy can block its own repair",
          """
          A rule that blocks writes of policies, Leases or webhook configurations also applies to this agent and to \
          Kyverno. If the rule is wrong, it rejects the update that would fix it: the agent cannot acquire its Lease \
          or apply the corrected policy until the policy is deleted manually. The same holds for a rule that blocks \
          Secrets or ServiceAccounts in all namespaces. A cleanup or deleting policy that matches them without conditions is an error, and a warning with them: \
          it can delete the policies, the Lease, or the credentials of the agent and of Kyverno.\
          """,
          "Exclude the agent's and Kyverno's ServiceAccounts (exclude.any[].subjects, or a "
              + "matchCondition on request.userInfo), or match specific policies by name.",
          Blocking::judgeLockout);

  private static final Set<String> CRITICAL_KINDS =
      with(
          PolicyKind::kind,
          "Lease",
          "ValidatingWebhookConfiguration",
          "MutatingWebhookConfiguration");
  private static final Set<String> CRITICAL_RESOURCES =
      with(
          PolicyKind::plural,
          "leases",
          "validatingwebhookconfigurations",
          "mutatingwebhookconfigurations");
  private static final Set<String> CRITICAL_GROUPS =
      with(PolicyKind::group, "", "*", "coordination.k8s.io");

  private static Set<String> with(Function<PolicyKind, String> ofPolicies, String... others) {
    return Stream.concat(PolicyKind.all().stream().map(ofPolicies), Stream.of(others))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static void judgeLockout(LintedPolicy policy, LintFindingSink found) {
    for (var rule : LegacyRule.of(policy)) {
      if (rule.blocks()
          && rule.node().has("validate")
          && rule.filters().noneMatch(ResourceFilter::asksWho)) {
        LegacyRule.kinds(rule.node().all("match"), filter -> !filter.asksForName())
            .filter(node -> isBuiltInOf(CRITICAL_KINDS, KindName.of(node.text())))
            .findFirst()
            .ifPresent(node ->
                found.at(
                    node,
                    rule.label()
                        + " can reject "
                        + node.text()
                        + " objects written by this agent or Kyverno, including its own fix"));
      }
    }
    if (policy.type().deletes()) {
      var selected =
          policy.kind().usesCel()
              ? resourcesOfOurGroups(policy).filter(node -> isDependedOn(node.text()))
              : LegacyRule.kinds(policy.spec().all("match"), filter -> !filter.asksForName())
                  .filter(node -> isDependedOn(KindName.of(node.text())));
      selected.forEach(node -> reportDeletion(node, policy, found));
    } else if (policy.denies()
        && policy.spec().allTexts().noneMatch(text -> text.contains("userInfo"))) {
      resourcesOfOurGroups(policy)
          .filter(node -> CRITICAL_RESOURCES.contains(node.text()))
          .findFirst()
          .ifPresent(node ->
              found.at(
                  node,
                  "this policy can reject "
                      + node.text()
                      + " written by this agent or Kyverno, including its own fix"));
    }
  }

  /// Returns the resources in API groups of Kubernetes and Kyverno. Other groups have `policies`
  /// and `leases`, too.
  private static Stream<Node> resourcesOfOurGroups(LintedPolicy policy) {
    return policy
        .resourceRules()
        .filter(rule -> {
          var groups = rule.texts("apiGroups");
          return groups.isEmpty() || groups.stream().anyMatch(CRITICAL_GROUPS::contains);
        })
        .flatMap(rule -> rule.items("resources").stream());
  }

  private static boolean isDependedOn(KindName kind) {
    return kind.isWildcard()
        || isBuiltInOf(CRITICAL_KINDS, kind)
        || isBuiltInOf(Set.of("Secret", "ServiceAccount"), kind);
  }

  private static boolean isDependedOn(String resource) {
    return CRITICAL_RESOURCES.contains(resource)
        || Set.of("secrets", "serviceaccounts", "*").contains(resource);
  }

  /// Reports a deleting policy, as a warning if it has conditions: these select some of the
  /// objects, but can still be wrong.
  private static void reportDeletion(Node node, LintedPolicy policy, LintFindingSink found) {
    found.at(
        node,
        policy.spec().has("conditions") || policy.spec().has("matchConstraints", "objectSelector")
            ? WARNING
            : ERROR,
        "this policy can delete "
            + (node.isText("*") ? "anything" : node.text())
            + ", which the agent or Kyverno depends on",
        "Match by name, or exclude these objects.");
  }

  private static final Rule EXTERNAL_CALL =
      Rule.warning(
          "PS027",
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
          "Use a GlobalContextEntry, which is loaded in advance, or set spec.failurePolicy: Ignore and "
              + "validationActions: [Audit].",
          Blocking::judgeCalls);

  private static final AffectedVersions BLOCKED = AffectedVersions.since("1.18");
  private static final Pattern HTTP =
      Pattern.compile("\\bhttp\\s*\\.\\s*([Gg]et|[Pp]ost|[Cc]lient)\\s*\\(");
  private static final Pattern IMAGE_DATA = Pattern.compile("\\b(GetMetadata|getImageData)\\s*\\(");
  private static final Pattern URL = Pattern.compile("https?://(\\[[^\\]]*\\]|[^/:'\"\\s?]+)");
  private static final Pattern OWN_HOST =
      Pattern.compile(
          "localhost|127(\\.\\d+){3}|\\[::1\\]|169\\.254\\.169\\.25[34]|metadata\\.google\\.internal");
  private static final String OF_A_RULE =
      "Use a GlobalContextEntry, which is loaded in advance, or set"
          + " spec.webhookConfiguration.failurePolicy: Ignore.";
  private static final String CALLS_SERVICE =
      "every request calls a service and is rejected if the call fails";
  private static final String CALLS_REGISTRY =
      "every request calls a registry and is rejected if the call fails";

  /// The fields whose content a rule compares with, generates or patches. A `context` in them is
  /// not Kyverno's.
  private static final Set<String> FREE_FORM_FIELDS =
      Set.of("pattern", "anyPattern", "data", "patchStrategicMerge", "template");

  private static void judgeCalls(LintedPolicy policy, LintFindingSink found) {
    var closed =
        policy.failsClosed() || Admission.refusesOnError(policy.type(), policy.spec().mapping());
    if (closed) {
      LegacyRule.of(policy).stream()
          .filter(Blocking::holdsUpRequests)
          .flatMap(
              rule -> rule.node().topmost(node -> node.name().equals("context"), FREE_FORM_FIELDS))
          .flatMap(context -> context.children().stream())
          .forEach(entry -> judgeContext(entry, found));
    }
    CelRules.expressions(policy).forEach(text -> judgeCalls(text, policy, closed, found));
  }

  /// Returns whether requests wait for the rule. Rules that only audit are evaluated after the
  /// response (Kyverno 1.19, `resourceHandlers.Validate`, which submits `HandleValidationAudit` to
  /// its audit pool), and so are rules that generate (`handleBackgroundApplies`).
  private static boolean holdsUpRequests(LegacyRule rule) {
    return rule.node().has("mutate") || rule.node().has("verifyImages") || rule.blocks();
  }

  private static void judgeContext(Node entry, LintFindingSink found) {
    entry.at("apiCall", "service").ifPresent(node -> found.at(node, CALLS_SERVICE, OF_A_RULE));
    entry
        .at("imageRegistry")
        .ifPresent(node ->
            found.at(
                node,
                CALLS_REGISTRY,
                "Set spec.webhookConfiguration.failurePolicy: Ignore, or let the rule audit only."));
    entry
        .at("configMap")
        .ifPresent(node ->
            found.at(
                node,
                NOTE,
                "every request is rejected while this ConfigMap is missing",
                "Create it before the policy, or define a default with a variable."));
  }

  private static void judgeCalls(
      Node text, LintedPolicy policy, boolean closed, LintFindingSink found) {
    var http = HTTP.matcher(text.text());
    if (http.find()) {
      if (policy.kind().namespaced() && found.mayBeAffected(BLOCKED)) {
        found.at(
            text,
            ERROR,
            "since 1.18 Kyverno rejects http." + http.group(1) + " in a namespaced policy",
            "Move the call to a cluster-scoped policy or a GlobalContextEntry.");
      } else if (!reportBlockedHost(text, found) && closed) {
        found.at(text, http.start(), CALLS_SERVICE);
      }
    }
    var image = IMAGE_DATA.matcher(text.text());
    if (closed && image.find()) {
      found.at(text, image.start(), CALLS_REGISTRY);
    }
  }

  /// Reports a host that Kyverno does not call, and returns whether the expression names one.
  private static boolean reportBlockedHost(Node text, LintFindingSink found) {
    var url = URL.matcher(text.text());
    if (!found.mayBeAffected(BLOCKED) || !url.find() || !OWN_HOST.matcher(url.group(1)).matches()) {
      return false;
    }
    found.at(
        text,
        ERROR,
        "since 1.18 Kyverno's CEL does not call " + url.group(1),
        "Call a Service in the cluster, or ask the operator of Kyverno to change --httpBlocklist.");
    return true;
  }

  private static final Rule EVERY_OPERATION =
      Rule.warning(
          "PS030",
          "Blocking rule for all operations or all API groups",
          """
          `operations: ["*"]` includes DELETE and CONNECT. DELETE requests have no `object`, so an expression on \
          `object.spec` fails, and a failed evaluation is denied: by a Kyverno policy that denies regardless of its \
          `failurePolicy`, by the other kinds with `failurePolicy: Fail`. Objects of that kind can then no longer be \
          deleted, and namespaces that contain them stay in Terminating.

          `apiGroups: ["*"]` also matches unrelated resources of the same name, e.g. `services` of Knative. For \
          resources `*` see PS007.\
          """,
          "List the operations, usually CREATE and UPDATE, and the intended API groups.",
          Blocking::judgeOperations);

  private static void judgeOperations(LintedPolicy policy, LintFindingSink found) {
    if (!Admission.refusesOnError(policy.type(), policy.spec().mapping())) {
      return;
    }
    policy
        .resourceRules()
        .flatMap(rule -> rule.all("apiGroups[]", "operations[]"))
        .filter(node -> node.isText("*"))
        .forEach(node ->
            found.at(
                node,
                node.path().contains(".operations[")
                    ? "the policy also matches DELETE and CONNECT, which have no object;"
                        + " requests that it cannot evaluate are denied"
                    : "the policy matches resources of this name in every API group;"
                        + " requests that it cannot evaluate are denied"));
  }

  private static final Rule OVERRIDE =
      Rule.warning(
          "PS036",
          "Unreachable failureActionOverrides",
          """
          `failureActionOverrides` are evaluated in order, and the first match for a namespace applies; later \
          entries for the same namespaces have no effect. If a namespace is listed with both Enforce and Audit, \
          Kyverno rejects a ClusterPolicy (`conflicting namespaces found`), reported as an error. In a namespaced \
          Policy only its own namespace is relevant.\
          """,
          "List each namespace in only one override.",
          Blocking::judgeOverrides);

  private static void judgeOverrides(LintedPolicy policy, LintFindingSink found) {
    if (policy.hasRules()) {
      judgeOverrides(policy.spec().items("validationFailureActionOverrides"), policy, found);
    }
    for (var rule : LegacyRule.of(policy)) {
      judgeOverrides(rule.node().items("validate", "failureActionOverrides"), policy, found);
    }
  }

  private static void judgeOverrides(
      List<Node> overrides, LintedPolicy policy, LintFindingSink found) {
    var own = policy.id().namespace();
    var before = new ArrayList<Node>();
    for (var override : overrides) {
      for (var namespace : override.items("namespaces")) {
        var name = namespace.text();
        // The override that applies to this namespace, or to all namespaces that a pattern matches.
        var winner =
            before.stream()
                .filter(earlier ->
                    earlier.texts("namespaces").stream()
                        .anyMatch(pattern -> Glob.matches(pattern, name)))
                .findFirst();
        if (winner.isPresent()) {
          reportOverridden(namespace, override, winner.get(), policy, found);
        } else if (own.isPresent() && !Glob.matches(name, own.get())) {
          found.at(
              namespace,
              "this Policy applies only to namespace "
                  + own.get()
                  + ", so the override has no effect");
        }
      }
      if (!override.has("namespaceSelector")) {
        before.add(override);
      }
    }
  }

  private static void reportOverridden(
      Node namespace, Node override, Node winner, LintedPolicy policy, LintFindingSink found) {
    var name = namespace.text();
    var where = "the override on line " + winner.position().line();
    var contradicts =
        !FailureAction.of(winner.text("action")).equals(FailureAction.of(override.text("action")));
    if (contradicts && !policy.kind().namespaced() && winner.texts("namespaces").contains(name)) {
      found.at(
          namespace,
          ERROR,
          "Kyverno rejects the policy: " + where + " has " + name + " with the other action");
    } else {
      found.at(
          namespace,
          "the override is unreachable: " + where + " is for " + name + " as well and comes first");
    }
  }
}
