package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Place;
import dev.policysync.convert.expression.Untranslatable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The matches of a rule in all of its scopes, for a policy that covers all of them.
final class ScopedMatches {
  private final List<RuleScope> scopes;
  private final List<MatchTranslation> matches = new ArrayList<>();

  private ScopedMatches(List<RuleScope> scopes) {
    this.scopes = List.copyOf(scopes);
  }

  /// Translates the matches of a rule.
  ///
  /// @throws Untranslatable if there is no exact translation, or if the scopes overlap
  public static ScopedMatches of(Value.Mapping policy, Value.Mapping rule) {
    var all = new ScopedMatches(RuleScope.of(policy, rule));
    all.scopes.forEach(scope -> all.matches.add(MatchTranslation.translate(rule, scope)));
    if (all.coversControllers() && all.matches.getFirst().matchesControllers()) {
      throw Untranslatable.field(
          rule,
          "match",
          "autogen beside other kinds",
          "match Pods alone, or switch autogen off and name the controllers");
    }
    return all;
  }

  public boolean coversControllers() {
    return scopes.size() > 1;
  }

  public List<RuleScope> scopes() {
    return scopes;
  }

  public Set<String> kinds() {
    var kinds = new LinkedHashSet<String>();
    matches.forEach(match -> kinds.addAll(match.kinds()));
    return kinds;
  }

  /// Tests whether one of the scopes matches the object.
  public Cel matches(Place object) {
    return Cel.any(matches.stream().map(match -> match.matches(object)).toList());
  }

  public List<Value> resourceRules(List<String> judged) {
    return matches.stream()
        .flatMap(match -> match.resourceRules(judged).stream())
        .distinct()
        .toList();
  }
}
