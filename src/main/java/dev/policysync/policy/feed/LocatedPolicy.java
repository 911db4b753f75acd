package dev.policysync.policy.feed;

import dev.policysync.json.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import dev.policysync.yaml.NodeLocations;

/// One policy with the place of everything in it.
///
/// @param content as it was written, with what only the server may set
/// @param position where it begins
/// @param nodeLocations of the nodes of `content`
public record LocatedPolicy(
    PolicyId id, Value.Mapping content, Position position, NodeLocations nodeLocations) {}
