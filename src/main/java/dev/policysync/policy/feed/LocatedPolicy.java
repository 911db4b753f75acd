package dev.policysync.policy.feed;

import dev.policysync.base.HeapBudget;
import dev.policysync.base.Value;
import dev.policysync.base.yaml.NodeLocations;
import dev.policysync.base.yaml.YamlDocument;
import dev.policysync.base.yaml.YamlStream;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// One policy with the location of every node.
///
/// @param content as it was written, including fields that only the server may set
/// @param position where the policy begins
/// @param nodeLocations the locations of the nodes of `content`
public record LocatedPolicy(
    PolicyId id, Value.Mapping content, Position position, NodeLocations nodeLocations) {

  /// Passes the policies that [PolicyReader#read] found in a feed to `policies`, in the order of
  /// the feed. Only one document is kept at a time: with its locations, a feed takes up many times
  /// more memory.
  ///
  /// @param expected the policies to pass; the feed contains each of them once
  public static void forEach(
      List<Manifest> manifests, Set<PolicyId> expected, Consumer<LocatedPolicy> policies) {
    var limit = FeedLimit.of(HeapBudget.ofThisProcess()).ofDocuments();
    for (var manifest : manifests) {
      YamlStream.readWithLocations(
          manifest.bytes(),
          limit,
          document -> {
            if (document
                instanceof
                YamlDocument.WellFormed(
                    var number,
                    Value.Mapping fields,
                    var start,
                    var nodes,
                    _)) {
              forEach(
                  new ManifestObject(fields, manifest.name(), number, start, nodes),
                  expected,
                  policies);
            }
          });
    }
  }

  private static void forEach(
      ManifestObject object, Set<PolicyId> expected, Consumer<LocatedPolicy> policies) {
    if (object.isList()) {
      for (var item : object.items().orElse(List.of())) {
        if (item instanceof Value.Mapping mapping) {
          forEach(object.item(mapping), expected, policies);
        }
      }
      return;
    }
    PartialIdentity.of(object.fields())
        .id()
        .filter(expected::contains)
        .map(
            id -> new LocatedPolicy(id, object.fields(), object.position(), object.nodeLocations()))
        .ifPresent(policies);
  }
}
