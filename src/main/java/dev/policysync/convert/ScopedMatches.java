package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Place;
import dev.policysync.convert.expression.Untranslatable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What all the rules match that Kyverno makes of a rule, for a policy that stands for all of them.
public final class ScopedMatches {
  private final List<RuleScope> scopes;
  private final List<MatchTranslation> matches = new ArrayList<>();

  private ScopedMatches(List<RuleScope> scopes) {
    this.scopes = List.copyOf(scopes);
  }

  /// Those of a rule.
  ///
  /// @throws Untranslatable if they cannot be said exactly, or overlap
  public static ScopedMatches of(Value.Mapping policy, Value.Mapping rule) {
    var all = new ScopedMatches(RuleScope.of(policy, rule));
    all.scopes.forEach(scope -> all.matches.add(MatchTranslation.of(rule, scope)));
    if (all.haveControllers() && all.matches.getFirst().matchesControllers()) {
      throw Untranslatable.field(
          rule,
          "match",
          "autogen beside other kinds",
          "match Pods alone, or switch autogen off and name the controllers");
    }
    return all;
  }

  /// Whether Kyverno makes rules for controllers.
  public boolean haveControllers() {
    return scopes.size() > 1;
  }

  /// The rules' scopes, the written one first.
  public List<RuleScope> scopes() {
    return scopes;
  }

  /// The kinds that the rules are about.
  public Set<String> kinds() {
    var kinds = new LinkedHashSet<String>();
    matches.forEach(match -> kinds.addAll(match.kinds()));
    return kinds;
  }

  /// Whether one of them is about the object.
  ///
  /// @param operation of the request, where it is no matter of the request
  public Cel matches(Place object, Optional<String> operation) {
    return Cel.any(matches.stream().map(match -> match.matches(object, operation)).toList());
  }

  /// What a policy about these objects has as `matchConstraints`.
  ///
  /// @param judged the operations that the rule judges
  public Value.Mapping constraints(List<String> judged) {
    var resourceRules = new LinkedHashSet<Value>();
    matches.forEach(match -> resourceRules.addAll(match.resourceRules(judged)));
    return Value.Mapping.EMPTY.with(
        "resourceRules", new Value.Sequence(List.copyOf(resourceRules)));
  }
}
