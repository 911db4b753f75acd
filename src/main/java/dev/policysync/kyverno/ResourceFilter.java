package dev.policysync.kyverno;

import dev.policysync.json.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// One block of a `match` or an `exclude`: which resources it is about, and whose requests.
///
/// @param path from the match or exclude to the block: nothing, or `any`, `[0]`
public record ResourceFilter(Value.Mapping block, List<String> path) {
  /// What a block says of the user who makes a request.
  public static final List<String> USERS = List.of("subjects", "roles", "clusterRoles");

  public ResourceFilter {
    path = List.copyOf(path);
  }

  /// The blocks of a `match` or an `exclude`, none where it says nothing.
  public static List<ResourceFilter> of(Value.Mapping matchOrExclude) {
    var filters = new ArrayList<ResourceFilter>();
    var whole = new ResourceFilter(matchOrExclude, List.of());
    if (matchOrExclude.field("resources").isPresent() || whole.asksWho()) {
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
    return block.mapping("resources").field(property).isPresent();
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
    return USERS.stream().anyMatch(name -> block.field(name).isPresent());
  }

  private Stream<String> texts(String list) {
    return StringLists.of(block.mapping("resources").items(list)).stream();
  }
}
