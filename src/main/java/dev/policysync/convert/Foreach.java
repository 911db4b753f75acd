package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.PatternTranslation.Judgement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Translates `foreach` into a list with one result for each element, in their order: 0 if the
/// element is skipped, 1 if it passes, 2 if it fails, 3 if it cannot be evaluated.
///
/// Source: Kyverno 1.19.0, `validateForEach` and `validateElements`: the first element that neither
/// passes nor is skipped decides; if no element passes, the rule has no result; an element whose
/// preconditions cannot be evaluated is skipped.
final class Foreach {
  private static final Set<String> FIELDS =
      Set.of("anyPattern", "context", "deny", "list", "pattern", "preconditions");
  private static final List<String> JUDGING = List.of("pattern", "anyPattern", "deny");

  private final Roots roots;
  private final Bindings.Names names;
  private final ResourceCalls calls;
  private Cel listFails = Cel.FALSE;
  private boolean mayError;

  private Foreach(Roots roots, Bindings.Names names, ResourceCalls calls) {
    this.roots = roots;
    this.names = names;
    this.calls = calls;
  }

  static RuleOutcome of(
      Value.Mapping validate, Roots roots, Bindings.Names names, ResourceCalls calls) {
    var translation = new Foreach(roots, names, calls);
    var parts = new ArrayList<String>();
    for (var item : validate.items("foreach")) {
      if (!(item instanceof Value.Mapping foreach)) {
        throw Untranslatable.value(item, "a foreach that is no map", "write a list and a pattern");
      }
      parts.add(translation.results(foreach));
    }
    return translation.outcome(String.join(" + ", parts));
  }

  private RuleOutcome outcome(String results) {
    var judged = Cel.call("results.exists(r, r > 0)");
    var lists = judged.not().and(listFails);
    return new RuleOutcome(
        judged.not().and(lists.not()),
        mayError ? first(2) : Cel.call("results.exists(r, r == 2)"),
        (mayError ? first(3) : Cel.FALSE).or(lists),
        Optional.of(results));
  }

  /// Tests whether the first result that is neither a pass nor a skip is this one.
  private static Cel first(int result) {
    return Cel.comparison("results.filter(r, r > 1).size() > 0")
        .and(Cel.comparison("results.filter(r, r > 1)[0] == " + result));
  }

  private String results(Value.Mapping foreach) {
    Untranslatable.checkFields(
        foreach, FIELDS, field -> "foreach." + field, "write it with all() or exists() in CEL");
    var judging = JUDGING.stream().filter(field -> foreach.field(field).isPresent()).toList();
    var path = foreach.text("list").filter(text -> !text.contains("{{"));
    if (judging.size() != 1 || path.isEmpty()) {
      throw Untranslatable.value(
          foreach,
          "a foreach with not exactly one of pattern, anyPattern and deny",
          "write each as a foreach of its own");
    }
    var bindings = new Bindings(names);
    var list = JmesPathTranslation.of(path.orElseThrow(), roots, bindings, foreach);
    listFails = listFails.or(bindings.wrap(list.fails()));
    var element = names.next("element");
    var withElement = roots.with("element", _ -> list.item(element));
    var inner = ContextVariables.of(foreach, withElement, calls);
    var before = Conditions.of(foreach, "preconditions", inner, names);
    var verdict =
        judging.getFirst().equals("deny")
            ? denied(foreach, inner)
            : patternResult(foreach, new Place(element, 0));
    var result = verdict;
    if (!before.holds().equals(Cel.TRUE)) {
      result = "!(" + before.holds() + ") ? 0 : " + verdict;
    }
    var ofElement = calls.ofElement(Cel.call(result));
    return bindings
        .wrap(Cel.call(elements(list) + ".map(" + element + ", " + ofElement + ")"))
        .text();
  }

  private static String elements(Term list) {
    var text = list.text();
    var elements =
        Cel.call(text)
            .where(
                list.is(JsonType.LIST),
                Cel.call("[]").where(list.is(JsonType.NULL), Cel.call("[dyn(" + text + ")]")));
    return "(" + elements + ").filter(e, e != null)";
  }

  private String denied(Value.Mapping foreach, Roots inner) {
    var outcome = Conditions.of(foreach.mapping("deny"), "conditions", inner, names);
    var errors = !outcome.fails().equals(Cel.FALSE);
    mayError |= errors;
    return "("
        + (errors ? "(" + outcome.fails() + ") ? 3 : " : "")
        + "("
        + outcome.holds()
        + ") ? 2 : 1)";
  }

  /// Translates a pattern. An element that is not a map has no fields, and Kyverno judges the whole
  /// object instead.
  private String patternResult(Value.Mapping foreach, Place element) {
    var ofElement = PatternTranslation.of(foreach, List.of(), element);
    var ofObject = PatternTranslation.of(foreach, List.of(), roots.object());
    return "("
        + element.is(Place.Type.MAP)
        + " ? "
        + number(ofElement)
        + " : "
        + number(ofObject)
        + ")";
  }

  private static String number(Judgement judgement) {
    var skips = judgement.skips().equals(Cel.FALSE) ? "" : "(" + judgement.skips() + ") ? 0 : ";
    return "(" + skips + "(" + judgement.passes() + ") ? 1 : 2)";
  }

  /// The outcome of a rule: it is skipped, it fails, it cannot be evaluated (`errors`), or, if none
  /// is true, it passes.
  ///
  /// @param results the expression that the others call `results`, if they use it
  record RuleOutcome(Cel skips, Cel fails, Cel errors, Optional<String> results) {
    /// The name of the expression that the others share.
    static final String RESULTS = "results";

    static RuleOutcome of(Cel skips, Cel fails, Cel errors) {
      return new RuleOutcome(skips, fails, errors, Optional.empty());
    }

    /// Binds `results` in the expression, if the expression uses it.
    Cel bound(Cel expression) {
      return results.isEmpty() || !expression.text().contains(RESULTS)
          ? expression
          : Cel.call("cel.bind(" + RESULTS + ", " + results.get() + ", " + expression + ")");
    }

    RuleOutcome withVariable() {
      return new RuleOutcome(skips, fails, errors, results.map(_ -> "variables." + RESULTS));
    }
  }
}
