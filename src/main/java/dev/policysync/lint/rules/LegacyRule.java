package dev.policysync.lint.rules;

import dev.policysync.kyverno.KindName;
import dev.policysync.lint.Node;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A rule of a `ClusterPolicy` or a `Policy`.
record LegacyRule(LegacyPolicy policy, Node node) {
  /// How a message names it: `rule "no-latest"`.
  String label() {
    return node.text("name")
        .filter(name -> !name.isEmpty())
        .map(name -> "rule \"" + name + "\"")
        .orElse("the rule without a name");
  }

  List<ResourceFilter> match() {
    return ResourceFilter.of(node.at("match"));
  }

  List<ResourceFilter> exclude() {
    return ResourceFilter.of(node.at("exclude"));
  }

  /// Its blocks in match and exclude.
  Stream<ResourceFilter> filters() {
    return Stream.concat(match().stream(), exclude().stream());
  }

  /// The kinds that it matches.
  List<KindName> kinds() {
    return match().stream().flatMap(resourceFilter -> resourceFilter.kinds().stream()).toList();
  }

  /// The same, each where it is written.
  List<Node> kindNodes() {
    return match().stream().flatMap(resourceFilter -> resourceFilter.kindNodes().stream()).toList();
  }

  /// Where it says that it blocks what breaks it, if it does so anywhere.
  Optional<Enforcement> enforcement() {
    return Enforcement.of(this);
  }
}
