package dev.policysync.lint.rules;

import dev.policysync.kyverno.KindName;
import dev.policysync.lint.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// One block of a rule's `match` or `exclude`: an item of `any` or `all`, or the whole where it is
/// written the old way, with `resources` right below.
///
/// @param node with `resources` and with `subjects`, `roles`, `clusterRoles`
record ResourceFilter(Node node) {
  /// The blocks of a `match` or an `exclude`, none where there is neither.
  static List<ResourceFilter> of(Optional<Node> matchOrExclude) {
    if (matchOrExclude.isEmpty()) {
      return List.of();
    }
    var whole = matchOrExclude.get();
    var filters = new ArrayList<ResourceFilter>();
    if (whole.has("resources")
        || whole.has("subjects")
        || whole.has("roles")
        || whole.has("clusterRoles")) {
      filters.add(new ResourceFilter(whole));
    }
    Stream.of("any", "all")
        .flatMap(list -> whole.items(list).stream())
        .map(ResourceFilter::new)
        .forEach(filters::add);
    return filters;
  }

  /// The kinds, each where it is written.
  List<Node> kindNodes() {
    return node.items("resources", "kinds");
  }

  List<KindName> kinds() {
    return node.texts("resources", "kinds").stream().map(KindName::of).toList();
  }

  /// Whether it looks at this property of an object: `namespaces`, `selector`.
  boolean asksFor(String property) {
    return node.has("resources", property);
  }

  /// Whether it tells objects apart by where they live.
  boolean asksForNamespace() {
    return asksFor("namespaces") || asksFor("namespaceSelector");
  }
}
