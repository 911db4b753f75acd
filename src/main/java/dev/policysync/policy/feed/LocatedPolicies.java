package dev.policysync.policy.feed;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import java.util.List;

/// What was written: the policies with every place in them, and the documents that are none.
///
/// @param policies in the order of the feed; one that several documents define is there several
///   times
/// @param unreadable what was meant as a policy and cannot be read
/// @param duplicates the policies that several documents define
/// @param skipped what was not meant as a policy
public record LocatedPolicies(
    List<LocatedPolicy> policies,
    List<UnreadableDocument> unreadable,
    List<Duplicate> duplicates,
    List<SkippedDocument> skipped) {
  public LocatedPolicies {
    policies = List.copyOf(policies);
    unreadable = List.copyOf(unreadable);
    duplicates = List.copyOf(duplicates);
    skipped = List.copyOf(skipped);
  }

  /// A policy that several documents define, of which a sync takes none.
  ///
  /// @param positions at least two
  public record Duplicate(PolicyId id, List<Position> positions) {
    public Duplicate {
      positions = List.copyOf(positions);
    }

    /// Whether two of them stand in one file, where nobody means them as alternatives.
    public boolean inOneFile() {
      return positions.stream().map(Position::source).distinct().count() < positions.size();
    }
  }
}
