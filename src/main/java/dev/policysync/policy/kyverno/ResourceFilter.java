package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// One block of a `match` or an `exclude`: the resources and the users to which it applies.
///
/// An empty list, map or text in a block counts as absent: Kyverno 1.19.0 evaluates a list only if
/// it has items (`doesResourceMatchConditionBlock`). A selector without requirements counts, and
/// selects everything.
///
/// @param path from the match or exclude to the block: empty, or `any`, `[0]`
public record ResourceFilter(Value.Mapping block, List<String> path) {
  /// The fields of a block about the user of a request.
  public static final List<String> USERS = List.of("subjects", "roles", "clusterRoles");

  private static final Set<String> SELECTORS = Set.of("selector", "namespaceSelector");

  public ResourceFilter {
    path = List.copyOf(path);
  }

  /// Returns the blocks of a `match` or an `exclude`; none if it has no conditions.
  public static List<ResourceFilter> of(Value.Mapping matchOrExclude) {
    var filters = new ArrayList<ResourceFilter>();
    var whole = new ResourceFilter(matchOrExclude, List.of());
    if (matchOrExclude.field("resources").isPresent()
        || USERS.stream().anyMatch(name -> matchOrExclude.field(name).isPresent())) {
      filters.add(whole);
    }
    for (var list : List.of("any", "all")) {
      var items = matchOrExclude.items(list);
      for (int i = 0; i < items.size(); i++) {
        var block = items.get(i) instanceof Value.Mapping mapping ? mapping : Value.Mapping.EMPTY;
        filters.add(new ResourceFilter(block, List.of(list, "[" + i + "]")));
      }
    }
    return filters;
  }

  /// Returns the blocks of an `exclude` that exclude anything. In a list `all`, each block has to
  /// match.
  ///
  /// Source: Kyverno 1.19.0, `MatchesResourceDescription`: a block without conditions excludes
  /// nothing, and neither does an `all` that contains such a block.
  public static List<ResourceFilter> excluding(Value.Mapping exclude) {
    var blocks = evaluated(exclude);
    return blocks.stream().anyMatch(block -> block.isIn("all") && block.isEmpty())
        ? List.of()
        : notEmpty(blocks);
  }

  /// Returns the blocks of a `match` or an `exclude` that Kyverno evaluates: the blocks of `any`;
  /// without those, the blocks of `all`; without those, the block beside them.
  ///
  /// Source: Kyverno 1.19.0, `MatchesResourceDescription`.
  public static List<ResourceFilter> evaluated(Value.Mapping matchOrExclude) {
    var blocks = of(matchOrExclude);
    for (var list : List.of("any", "all")) {
      var ofList = blocks.stream().filter(block -> block.isIn(list)).toList();
      if (!ofList.isEmpty()) {
        return ofList;
      }
    }
    return blocks;
  }

  /// Returns the block without fields that are not conditions. Two blocks that mean the same to
  /// Kyverno have the same result.
  public Value.Mapping conditions() {
    var resources = block.mapping("resources");
    var left = block.without("resources").without("any").without("all");
    for (var name : resources.fields().keySet()) {
      resources = asksFor(name) ? resources : resources.without(name);
    }
    for (var users : USERS) {
      left = block.items(users).isEmpty() ? left.without(users) : left;
    }
    return resources.fields().isEmpty() ? left : left.with("resources", resources);
  }

  private static List<ResourceFilter> notEmpty(List<ResourceFilter> blocks) {
    return blocks.stream().filter(block -> !block.isEmpty()).toList();
  }

  private boolean isIn(String list) {
    return !path.isEmpty() && path.getFirst().equals(list);
  }

  /// Returns whether the block has no conditions. In `match` such a block matches nothing, in
  /// `exclude` it excludes nothing.
  ///
  /// Source: Kyverno 1.19.0, `ResourceDescription.IsEmpty`. An empty list of [#USERS] counts as
  /// absent here. If it is the only field of a block, Kyverno treats it as a condition that every
  /// user meets ([#isEmptyListOfUsers()]).
  public boolean isEmpty() {
    return !asksWho()
        && block.mapping("resources").fields().keySet().stream().noneMatch(this::asksFor);
  }

  /// Returns whether the block contains only an empty list of users. Kyverno 1.19.0 compares that
  /// list with an absent list (`DeepEqual` of `UserInfo`), finds a difference, and concludes that
  /// everything matches.
  public boolean isEmptyListOfUsers() {
    return isEmpty() && USERS.stream().anyMatch(name -> block.field(name).isPresent());
  }

  public List<KindName> kinds() {
    return texts("kinds").map(KindName::of).toList();
  }

  /// Returns the namespaces that the block names, with wildcards; empty if it has no condition on
  /// the name.
  public List<String> namespaces() {
    return texts("namespaces").toList();
  }

  /// Returns whether the block has a condition on this property of an object: `namespaces`,
  /// `selector`.
  public boolean asksFor(String property) {
    return block
        .mapping("resources")
        .field(property)
        .filter(value -> SELECTORS.contains(property) || !isNothing(value))
        .isPresent();
  }

  public boolean asksForName() {
    return asksFor("name") || asksFor("names");
  }

  /// Returns whether the block distinguishes objects of one kind and namespace.
  public boolean asksForObject() {
    return asksForName() || asksFor("selector") || asksFor("annotations");
  }

  public boolean asksForNamespace() {
    return asksFor("namespaces") || asksFor("namespaceSelector");
  }

  /// Returns whether the block has a condition on the user of a request.
  public boolean asksWho() {
    return USERS.stream()
        .anyMatch(name -> block.field(name).filter(value -> !isNothing(value)).isPresent());
  }

  private static boolean isNothing(Value value) {
    return switch (value) {
      case Value.Sequence(var items) -> items.isEmpty();
      case Value.Mapping(var fields) -> fields.isEmpty();
      case Value.Text(var text) -> text.isEmpty();
      case Value.Null _ -> true;
      default -> false;
    };
  }

  private Stream<String> texts(String list) {
    return StringLists.of(block.mapping("resources").items(list)).stream();
  }
}
