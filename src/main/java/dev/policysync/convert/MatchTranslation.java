package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.FilterTranslation.NamespaceField;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Translates `match` and `exclude` of a rule in one of its scopes: the written rule, or a rule of
/// autogen for pod controllers.
///
/// Source: Kyverno 1.19.0, `MatchesResourceDescription`.
final class MatchTranslation {
  private static final List<String> EVERY_OPERATION = List.of("CREATE", "UPDATE", "DELETE");

  private final Value.Mapping rule;
  private final RuleScope scope;
  private final List<KindSelector> kinds;

  private MatchTranslation(Value.Mapping rule, RuleScope scope) {
    this.rule = rule;
    this.scope = scope;
    this.kinds = blocks("match").stream().flatMap(block -> kinds(block).stream()).toList();
  }

  /// Translates `match` and `exclude` of a rule.
  ///
  /// @throws Untranslatable if there is no exact translation
  static MatchTranslation translate(Value.Mapping rule, RuleScope scope) {
    var translation = new MatchTranslation(rule, scope);
    translation.check();
    return translation;
  }

  /// Tests whether the rule applies to the object.
  ///
  /// @param object the object; the old object is judged as if an unknown user created it
  Cel matches(Place object) {
    var matched = blocks("match").stream().map(block -> block(block, object)).toList();
    var excluded =
        ResourceFilter.excluding(rule.mapping("exclude")).stream()
            .map(block -> block(block, object))
            .toList();
    return (isAll("match") ? Cel.all(matched) : Cel.any(matched))
        .and(
            (isAll("exclude") && !excluded.isEmpty() ? Cel.all(excluded) : Cel.any(excluded))
                .not());
  }

  /// Tests whether the rule applies to an object that the resource rules select; empty if it
  /// applies to each.
  Optional<Cel> condition(Place object) {
    return isSaidByResourceRules() ? Optional.empty() : Optional.of(matches(object));
  }

  /// Returns whether `match` is about kinds alone, with the same operations in each block, so that
  /// the resource rules select the same objects.
  private boolean isSaidByResourceRules() {
    var blocks = blocks("match");
    return ResourceFilter.excluding(rule.mapping("exclude")).isEmpty()
        && (blocks.size() == 1 || !isAll("match"))
        && kinds.stream().allMatch(KindSelector::hasKnownResources)
        && blocks.stream().map(MatchTranslation::operations).distinct().count() == 1
        && blocks.stream()
            .allMatch(block ->
                !kinds(block).isEmpty()
                    && FilterTranslation.of(
                            block.block(), Place.OBJECT, namespaceField(kinds(block)))
                        .equals(Cel.TRUE));
  }

  /// Returns the `resourceRules` by which the API server selects requests. They are never narrower
  /// than the rule.
  ///
  /// @param judged the operations that the rule judges
  List<Value> resourceRules(List<String> judged) {
    return KindSelector.resourceRules(
        new LinkedHashSet<>(kinds), operations(judged), rule.mapping("match"));
  }

  List<String> kinds() {
    return kinds.stream().map(KindSelector::kind).toList();
  }

  /// Returns whether the rule may match objects that the rules of autogen match.
  boolean matchesControllers() {
    return kinds.stream().anyMatch(KindSelector::isController);
  }

  /// Returns whether everything that the rule matches is known to be namespaced.
  boolean isNamespaced() {
    return kinds.stream().allMatch(KindSelector::isNamespaced);
  }

  boolean matchesNamespaces() {
    return kinds.stream().anyMatch(KindSelector::isNamespace);
  }

  /// Returns the operations that the rule judges and a block of `match` names; a block without
  /// operations names all.
  List<String> operations(List<String> judged) {
    var named = new LinkedHashSet<String>();
    for (var block : blocks("match")) {
      var ofBlock = operations(block);
      named.addAll(ofBlock.isEmpty() ? EVERY_OPERATION : ofBlock);
    }
    var operations = judged.stream().filter(named::contains).toList();
    if (operations.isEmpty()) {
      throw Untranslatable.field(
          rule,
          "match",
          "a rule that judges no request",
          "it names operations that this kind of rule passes over; remove it");
    }
    return operations;
  }

  private static List<String> operations(ResourceFilter block) {
    return StringItems.of(block.block().mapping("resources"), "operations");
  }

  private Cel block(ResourceFilter block, Place object) {
    var ofBlock = kinds(block);
    return Cel.all(
        List.of(
            operation(operations(block), object.equals(Place.OLD_OBJECT)),
            ofBlock.isEmpty() ? Cel.TRUE : KindSelector.matchesAny(ofBlock, object),
            FilterTranslation.of(block.block(), object, namespaceField(ofBlock))));
  }

  private static Cel operation(List<String> named, boolean created) {
    if (named.isEmpty()) {
      return Cel.TRUE;
    }
    if (created) {
      return named.contains("CREATE") ? Cel.TRUE : Cel.FALSE;
    }
    return Cel.any(
        named.stream()
            .map(name -> Cel.comparison("request.operation == \"" + name + "\""))
            .toList());
  }

  private NamespaceField namespaceField(List<KindSelector> ofBlock) {
    var about = ofBlock.isEmpty() ? kinds : ofBlock;
    var namespaces = about.stream().filter(KindSelector::isNamespace).count();
    if (namespaces == 0) {
      return NamespaceField.NAMESPACE;
    }
    return namespaces == about.size() ? NamespaceField.NAME : NamespaceField.EITHER;
  }

  private List<KindSelector> kinds(ResourceFilter block) {
    var written = new ArrayList<KindSelector>();
    for (var item : block.block().mapping("resources").items("kinds")) {
      if (!(item instanceof Value.Text text)) {
        throw Untranslatable.value(item, "a kind that is no string", "quote it");
      }
      written.add(KindSelector.of(text));
    }
    return scope.isWritten() || written.isEmpty() ? written : scope.kinds();
  }

  private List<ResourceFilter> blocks(String part) {
    return ResourceFilter.of(rule.mapping(part));
  }

  private boolean isAll(String part) {
    return rule.mapping(part).items("any").isEmpty();
  }

  private void check() {
    for (var part : List.of("match", "exclude")) {
      var mapping = rule.mapping(part);
      if (blocks(part).stream().map(block -> block.path().stream().findFirst()).distinct().count()
          > 1) {
        throw Untranslatable.field(
            rule, part, "any and all side by side", "Kyverno looks at any alone; remove the rest");
      }
      checkFields(mapping, Set.of("any", "all", "resources", "subjects"));
      for (var block : blocks(part)) {
        checkBlock(block, part);
      }
    }
    if (kinds.isEmpty()) {
      throw Untranslatable.field(
          rule, "match", "a match without kinds", "name the kinds that the rule is about");
    }
  }

  private void checkBlock(ResourceFilter block, String part) {
    if (!block.path().isEmpty()) {
      checkFields(block.block(), Set.of("resources", "subjects"));
    }
    if (part.equals("exclude") && block.isEmptyListOfUsers()) {
      throw Untranslatable.value(
          block.block(),
          "an empty list of users in exclude",
          "Kyverno excludes everything then, except in the rules of autogen; remove it, or remove"
              + " the rule");
    }
    if (part.equals("match") && kinds(block).isEmpty()) {
      throw Untranslatable.value(
          block.block(), "a match without kinds", "name the kinds that the rule is about");
    }
    if (!scope.isWritten() && !isOfPods(block)) {
      throw Untranslatable.value(
          block.block(),
          "autogen beside other kinds",
          "match Pods alone, or switch autogen off and name the controllers");
    }
  }

  private static boolean isOfPods(ResourceFilter block) {
    var written = block.block().mapping("resources").items("kinds");
    return written.isEmpty()
        || written.stream()
            .allMatch(item -> item instanceof Value.Text text && KindSelector.of(text).isPod());
  }

  private static void checkFields(Value.Mapping holder, Set<String> known) {
    Untranslatable.checkFields(
        holder,
        known,
        field -> field + " in match or exclude",
        "a successor does not know them; name users, groups or ServiceAccounts");
  }

  /// The matches of a rule in all of its scopes, for a policy that covers all of them.
  static final class ScopedMatches {
    private final List<RuleScope> scopes;
    private final List<MatchTranslation> matches = new ArrayList<>();

    private ScopedMatches(List<RuleScope> scopes) {
      this.scopes = List.copyOf(scopes);
    }

    /// Translates the matches of a rule.
    ///
    /// @throws Untranslatable if there is no exact translation, or if the scopes overlap
    static ScopedMatches of(Value.Mapping policy, Value.Mapping rule) {
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

    boolean coversControllers() {
      return scopes.size() > 1;
    }

    public List<RuleScope> scopes() {
      return scopes;
    }

    Set<String> kinds() {
      var kinds = new LinkedHashSet<String>();
      matches.forEach(match -> kinds.addAll(match.kinds()));
      return kinds;
    }

    /// Tests whether one of the scopes matches an object that the resource rules select; empty if
    /// one matches each.
    Optional<Cel> condition(Place object) {
      return matches.stream().allMatch(match -> match.condition(object).isEmpty())
          ? Optional.empty()
          : Optional.of(matches(object));
    }

    /// Tests whether one of the scopes matches the object.
    Cel matches(Place object) {
      return Cel.any(matches.stream().map(match -> match.matches(object)).toList());
    }

    List<Value> resourceRules(List<String> judged) {
      return matches.stream()
          .flatMap(match -> match.resourceRules(judged).stream())
          .distinct()
          .toList();
    }
  }
}
