package dev.policysync.convert;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.convert.Conditions.Outcome;
import dev.policysync.convert.Foreach.RuleOutcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;

/// Translates a rule with `deny` or `foreach`, or with a pattern and `preconditions`, into the spec
/// of a successor, one for each scope: where autogen applies, pod controllers and CronJobs get
/// successors of their own, which read other paths.
///
/// Source: Kyverno 1.19.0, `invokeRuleHandler` and `validateResourceHandler`: an expression that
/// cannot be evaluated is an error; where preconditions do not hold, the rule is skipped; `deny`
/// also judges deletions.
final class ConditionalRule {
  private static final List<String> OPERATIONS = List.of("CREATE", "UPDATE");
  private static final List<String> WITH_DELETE = List.of("CREATE", "UPDATE", "DELETE");
  private static final Cel NO_DELETE = Cel.comparison("request.operation != \"DELETE\"");

  /// An expression that always fails to evaluate, because no operation is a number. With
  /// `failurePolicy: Ignore`, such an error lets the request pass.
  private static final Cel ERROR = Cel.comparison("int(request.operation) == 0");

  /// Matches a filter, `[?…]`. On a deletion the list has no items, so that its filter is never
  /// evaluated.
  private static final Pattern FILTER =
      Pattern.compile("\\[\\?('[^']*'|`[^`]*`|\\[[^\\[\\]]*\\]|[^\\[\\]'`])*\\]");

  private static final Pattern EMPTY_LIST = Pattern.compile("\\|\\|\\s*`\\[\\s*\\]`");
  private static final Pattern DEFAULTS = Pattern.compile("\\|\\||[(!]|request\\.(?!object\\.)");

  private static final Pattern READS_OBJECT =
      Pattern.compile("\\brequest\\s*\\.\\s*(object|namespace)\\b");

  /// Matches an expression that reveals `kind` or `apiVersion` of items of lists. Items have both
  /// in `resource.List()`, and lack them in the API server's answer.
  private static final Pattern OF_ITEMS =
      Pattern.compile("\\b(kind|apiVersion)\\b|\\b(keys|values|to_string|items)\\s*\\(");

  /// Matches fields of the object, which has `kind` and `apiVersion` in both forms.
  private static final Pattern OF_OBJECT =
      Pattern.compile("\\brequest\\.object(\\.\\w+)*(?!\\()\\b");

  private static final Pattern NAMESPACE_OF_REQUEST = Pattern.compile("\\brequest\\.namespace\\b");

  private static final Pattern NAMESPACES = Pattern.compile("\"([^\"]*/)?Namespace\"");

  private final Value.Mapping rule;
  private final Value.Mapping validate;
  private final RuleScope scope;
  private final PolicySettings settings;
  private final MatchTranslation match;
  private final Bindings.Names names = new Bindings.Names();
  private final ResourceCalls calls = new ResourceCalls();

  /// The outcome of the preconditions, and of the rule itself where they hold.
  private record Verdict(Outcome before, RuleOutcome rule) {}

  ConditionalRule(Value.Mapping rule, RuleScope scope, PolicySettings settings) {
    this.rule = (Value.Mapping) scope.rewrite(rule, List.of("request.object", "request.oldObject"));
    this.validate = this.rule.mapping("validate");
    this.scope = scope;
    this.settings = settings;
    this.match = MatchTranslation.translate(rule, scope);
  }

  /// Returns whether this class translates the rule.
  static boolean appliesTo(Value.Mapping rule) {
    var validate = rule.mapping("validate");
    return rule.field("preconditions").isPresent()
        || rule.field("context").isPresent()
        || SuccessorSpec.hasVariables(rule)
        || validate.field("deny").isPresent()
        || validate.field("foreach").isPresent();
  }

  SuccessorSpec spec() {
    var denies = validate.field("deny").isPresent();
    var mayError =
        !verdict(roots(Roots.ofRequest(Place.OBJECT))).before().fails().equals(Cel.FALSE);
    var ofDeletions = (denies || mayError) && !skipsDeletions();
    var spec = new SuccessorSpec(match.resourceRules(ofDeletions ? WITH_DELETE : OPERATIONS));
    var deletes = spec.judgesDeletions();
    if (deletes && readsObject() && (denies || mentionsContext())) {
      throw Untranslatable.field(
          rule,
          "context",
          "context of a rule that judges deletions",
          "name CREATE and UPDATE as operations in match");
    }
    if (!ofDeletions
        && !skipsDeletions()
        && match.operations(WITH_DELETE).contains("DELETE")
        && validate.mappings("foreach").stream().anyMatch(ConditionalRule::mayJudgeDeletions)) {
      throw Untranslatable.field(
          validate,
          "foreach",
          "a foreach over what deletions have, too",
          "name CREATE and UPDATE as operations in match");
    }
    var object = deletes ? Place.JUDGED : Place.OBJECT;
    var verdict = verdict(roots(Roots.ofRequest(object)));
    var before = verdict.before();
    checkContext();
    settings.checkErrors(patterns() && !verdict.rule().skips().equals(Cel.FALSE));
    spec.matched(match.condition(object).map(this::ofCondition));
    var judged = deletes && !denies ? before.holds().and(NO_DELETE) : before.holds();
    var met = before.fails().or(judged);
    if (!met.equals(Cel.TRUE)) {
      spec.condition("preconditions", ofCondition(met));
    }
    if (!verdict.rule().skips().equals(Cel.FALSE)) {
      var skips = verdict.rule().bound(verdict.rule().skips());
      spec.condition("judged", ofCondition(before.fails().or(skips.not())));
    }
    var variables = new LinkedHashMap<String, String>();
    verdict
        .rule()
        .results()
        .ifPresent(results -> variables.put(RuleOutcome.RESULTS, bound(Cel.call(results))));
    var ofRule = verdict.rule().withVariable();
    var passes = ofRule.fails().not();
    if (allowsExistingViolations()) {
      ExistingViolations.check(rule);
      passes = passes.or(Cel.call("variables.violatedBefore"));
      variables.put("violatedBefore", bound(violatedBefore()));
    }
    var errors = before.fails().or(ofRule.bound(ofRule.errors()));
    var whole =
        settings.ignoresErrors() && !errors.equals(Cel.FALSE)
            ? ERROR.where(errors, ofRule.bound(passes))
            : before.fails().not().and(ofRule.bound(ofRule.errors().not().and(passes)));
    var validation = withMessage(Value.Mapping.EMPTY.with("expression", bound(whole)), object);
    // The expressions above read the cluster by these variables.
    calls
        .variables()
        .forEach(
            (name, call) -> spec.variable(name, SuccessorSpec.bindJudged(Cel.call(call)).text()));
    variables.forEach(spec::variable);
    return spec.validation(validation);
  }

  /// Returns whether the `foreach` may have elements on a deletion, when `request.object` is null:
  /// a path on null is null, unless it has a function or a default.
  private static boolean mayJudgeDeletions(Value.Mapping foreach) {
    var list = foreach.text("list").orElse("").strip();
    return !list.startsWith("request.object.")
        || DEFAULTS
            .matcher(EMPTY_LIST.matcher(FILTER.matcher(list).replaceAll("")).replaceAll(""))
            .find();
  }

  private Value.Mapping withMessage(Value.Mapping validation, Place object) {
    if (!SuccessorSpec.hasVariables(rule)) {
      return validation.with("message", SuccessorSpec.message(rule));
    }
    var message = new Value.Text(validate.text("message").orElse(""));
    var roots = ContextVariables.of(rule, roots(Roots.ofRequest(object)), calls);
    var plain = validation.with("message", Message.plain(message.text()));
    return Message.expression(message, roots, names)
        .map(expression -> plain.with("messageExpression", bound(expression)))
        .orElse(plain);
  }

  /// Returns whether the preconditions exclude deletions before Kyverno evaluates anything else.
  private boolean skipsDeletions() {
    return rule.field("context").isPresent() && Conditions.failFor(rule, "preconditions", "DELETE");
  }

  /// Returns whether the preconditions mention an entry of `context`. In the context, Kyverno
  /// leaves `request.object` as it is on a deletion.
  private boolean mentionsContext() {
    var conditions = String.valueOf(rule.fields().get("preconditions"));
    return rule.mappings("context").stream()
        .anyMatch(entry -> conditions.contains(entry.text("name").orElse("")));
  }

  /// Binds all reads of the cluster in a match condition, which cannot use variables.
  private Cel ofCondition(Cel condition) {
    return SuccessorSpec.bindJudged(calls.bound(condition));
  }

  private String bound(Cel expression) {
    return SuccessorSpec.bindJudged(calls.boundToVariables(expression)).text();
  }

  private boolean patterns() {
    return validate.field("pattern").isPresent() || validate.field("anyPattern").isPresent();
  }

  /// Returns whether updates of objects that already violate the rule pass. With preconditions
  /// Kyverno lets none pass: it cannot evaluate them for the old object (`matchResource`).
  private boolean allowsExistingViolations() {
    return settings.enforces(rule)
        && rule.field("preconditions").isEmpty()
        && ExistingViolations.areAllowed(rule);
  }

  private Cel violatedBefore() {
    var verdict = verdict(roots(Roots.ofCreated(Place.OLD_OBJECT)));
    return ExistingViolations.violatedBefore(
        match.matches(Place.OLD_OBJECT),
        verdict.before().holds(),
        verdict.rule().bound(verdict.rule().fails()));
  }

  private Roots roots(Roots request) {
    var ofKinds = request.ofKinds(match.kinds());
    var roots = match.isNamespaced() ? ofKinds.inNamespace() : ofKinds;
    if (settings.scansInBackground()) {
      return roots;
    }
    return judgesNoCreation() ? roots.withUser().withOldObject() : roots.withUser();
  }

  /// Returns whether creations are excluded before Kyverno evaluates anything else.
  private boolean judgesNoCreation() {
    return !match.operations(WITH_DELETE).contains("CREATE")
        || (rule.field("context").isEmpty() && Conditions.failFor(rule, "preconditions", "CREATE"));
  }

  private Verdict verdict(Roots request) {
    var roots = ContextVariables.of(rule, request, calls);
    return new Verdict(
        Conditions.of(rule, "preconditions", roots, names),
        validate.field("deny").isPresent()
            ? denyOutcome(roots)
            : validate.field("foreach").isPresent()
                ? Foreach.of(validate, roots, names, calls)
                : patternOutcome(roots.object()));
  }

  private RuleOutcome denyOutcome(Roots roots) {
    var outcome = Conditions.of(validate.mapping("deny"), "conditions", roots, names);
    return RuleOutcome.of(Cel.FALSE, outcome.holds(), outcome.fails());
  }

  private RuleOutcome patternOutcome(Place object) {
    var judgement = PatternTranslation.of(validate, scope.path(), object);
    return RuleOutcome.of(judgement.skips(), judgement.holds().not(), Cel.FALSE);
  }

  /// Returns whether the context reads the object. In the context, Kyverno leaves the object as it
  /// is on a deletion.
  private boolean readsObject() {
    return rule.field("context")
        .filter(context -> READS_OBJECT.matcher(Json.write(context)).find())
        .isPresent();
  }

  /// Refuses a context with which the successor would judge otherwise.
  private void checkContext() {
    if (!calls.used()) {
      return;
    }
    if (settings.ignoresErrors()) {
      throw Untranslatable.field(
          rule,
          "context",
          "failurePolicy: Ignore with a context that is read of the cluster",
          "use Fail; what cannot be read lets requests pass in other ways in each form");
    }
    if (NAMESPACE_OF_REQUEST.matcher(read()).find()
        && NAMESPACES.matcher(Json.write(rule.mapping("match"))).find()) {
      throw Untranslatable.field(
          rule,
          "context",
          "request.namespace in a context of a rule about Namespaces",
          "in requests it is the name of the Namespace itself, in scans nothing; use"
              + " request.object.metadata.name");
    }
    if (calls.lists() && OF_ITEMS.matcher(OF_OBJECT.matcher(read()).replaceAll("")).find()) {
      throw Untranslatable.field(
          rule,
          "context",
          "an apiCall for a list whose items are asked for kind, apiVersion or all their fields",
          "in resource.List() they have both, in the API server's answer they may not; write it by"
              + " hand");
    }
  }

  private String read() {
    var text = new StringBuilder();
    for (var part : List.of("context", "preconditions")) {
      rule.field(part).ifPresent(value -> text.append(Json.write(value)));
    }
    for (var part : List.of("deny", "foreach")) {
      validate.field(part).ifPresent(value -> text.append(Json.write(value)));
    }
    return text.toString();
  }
}
