package dev.policysync.lint.rules;

import dev.policysync.lint.Node;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Finds the nodes of the blocks in `match` and `exclude`.
final class FilterNodes {
  private FilterNodes() {}

  /// Returns the blocks of a `match` or `exclude` that pass `which`.
  static Stream<Node> blocks(Optional<Node> matchOrExclude, Predicate<ResourceFilter> which) {
    return matchOrExclude.stream()
        .flatMap(whole ->
            ResourceFilter.of(whole.mapping()).stream()
                .filter(which)
                .flatMap(filter -> whole.at(filter.path()).stream()));
  }

  static Stream<Node> kinds(Optional<Node> matchOrExclude, Predicate<ResourceFilter> which) {
    return blocks(matchOrExclude, which)
        .flatMap(block -> block.items("resources", "kinds").stream());
  }
}
