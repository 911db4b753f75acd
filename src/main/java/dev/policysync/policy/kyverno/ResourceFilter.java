package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// One block of a `match` or an `exclude`: which resources it is about, and whose requests.
///
/// An empty list, map or text in it is as good as none: Kyverno 1.19.0 looks at a list only where
/// it has items (`doesResourceMatchConditionBlock`). A selector without requirements counts, and
/// selects all.
///
/// @param path from the match or exclude to the block: nothing, or `any`, `[0]`
public record ResourceFilter(Value.Mapping block, List<String> path) {
  /// What a block says of the user who makes a request.
  public static final List<String> USERS = List.of("subjects", "roles", "clusterRoles");

  private static final Set<String> SELECTORS = Set.of("selector", "namespaceSelector");

  public ResourceFilter {
    path = List.copyOf(path);
  }

  /// The blocks of a `match` or an `exclude`, none where it says nothing.
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

  /// The blocks of an `exclude` that exclude anything. Where it has `all`, each of them has to
  /// match.
  ///
  /// Source: Kyverno 1.19.0, `MatchesResourceDescription`: a block that says nothing excludes
  /// nothing, and so does an `all` with one of them.
  public static List<ResourceFilter> excluding(Value.Mapping exclude) {
    var blocks = evaluated(exclude);
    return blocks.stream().anyMatch(block -> block.isIn("all") && block.isEmpty())
        ? List.of()
        : notEmpty(blocks);
  }

  /// The blocks of a `match` or an `exclude` at which Kyverno looks: those of `any`, where there
  /// are none those of `all`, and where there are none either what stands beside them.
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

  /// The block without what is no condition: the same for two blocks that Kyverno reads alike.
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

  /// Whether it says nothing. In `match` such a block matches nothing, in `exclude` it excludes
  /// nothing.
  ///
  /// Source: Kyverno 1.19.0, `ResourceDescription.IsEmpty`. An empty list of [#USERS] counts as
  /// none here; Kyverno takes one that is alone in a block for a condition that everybody meets
  /// (`isEmptyListOfUsers`).
  public boolean isEmpty() {
    return !asksWho()
        && block.mapping("resources").fields().keySet().stream().noneMatch(this::asksFor);
  }

  /// Whether nothing is in it but an empty list of users: Kyverno 1.19.0 compares it with no list
  /// at all (`DeepEqual` of `UserInfo`), finds that it is another one, and that everything matches.
  public boolean isEmptyListOfUsers() {
    return isEmpty() && USERS.stream().anyMatch(name -> block.field(name).isPresent());
  }

  /// The kinds that it names.
  public List<KindName> kinds() {
    return texts("kinds").map(KindName::of).toList();
  }

  /// The namespaces that it names, with wildcards; none where it does not look at them.
  public List<String> namespaces() {
    return texts("namespaces").toList();
  }

  /// Whether it looks at this property of an object: `namespaces`, `selector`.
  public boolean asksFor(String property) {
    return block
        .mapping("resources")
        .field(property)
        .filter(value -> SELECTORS.contains(property) || !isNothing(value))
        .isPresent();
  }

  /// Whether it tells objects apart by what they are called.
  public boolean asksForName() {
    return asksFor("name") || asksFor("names");
  }

  /// Whether it tells objects of one kind and namespace apart.
  public boolean asksForObject() {
    return asksForName() || asksFor("selector") || asksFor("annotations");
  }

  /// Whether it tells objects apart by where they live.
  public boolean asksForNamespace() {
    return asksFor("namespaces") || asksFor("namespaceSelector");
  }

  /// Whether it tells requests apart by who makes them.
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
