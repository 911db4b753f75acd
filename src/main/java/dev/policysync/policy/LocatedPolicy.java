package dev.policysync.policy;

import dev.policysync.yaml.Places;
import dev.policysync.yaml.Value;

/// One policy with the place of everything in it.
///
/// @param content as it was written, with what only the server may set
/// @param position where it begins
/// @param places of the nodes of `content`
public record LocatedPolicy(PolicyId id, Value.Mapping content, Position position, Places places) {}
