package dev.policysync.lint.rules;

import dev.policysync.lint.Node;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Where the blocks of a match or an exclude are written.
final class FilterNodes {
  private FilterNodes() {}

  /// The blocks of that match or exclude, of those that pass.
  static Stream<Node> blocks(Optional<Node> matchOrExclude, Predicate<ResourceFilter> which) {
    return matchOrExclude.stream()
        .flatMap(whole ->
            ResourceFilter.of(whole.mapping()).stream()
                .filter(which)
                .flatMap(filter -> whole.at(filter.path()).stream()));
  }

  /// The kinds in them.
  static Stream<Node> kinds(Optional<Node> matchOrExclude, Predicate<ResourceFilter> which) {
    return blocks(matchOrExclude, which)
        .flatMap(block -> block.items("resources", "kinds").stream());
  }
}
