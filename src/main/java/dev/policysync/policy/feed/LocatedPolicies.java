package dev.policysync.policy.feed;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import java.util.List;
import java.util.stream.Stream;

/// The policies in a set of manifests with the location of every node, and the other documents.
///
/// @param policies in the order of the feed; a policy that several documents define occurs several
///   times
/// @param unreadable documents that were meant as policies and cannot be read
/// @param duplicates the policies that several documents define
/// @param skipped documents that were not meant as policies
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

  /// Returns the same with further documents that cannot be read.
  public LocatedPolicies withUnreadable(List<UnreadableDocument> more) {
    return new LocatedPolicies(
        policies, Stream.concat(unreadable.stream(), more.stream()).toList(), duplicates, skipped);
  }

  /// A policy that several documents define. A sync applies none of them.
  ///
  /// @param positions at least two
  public record Duplicate(PolicyId id, List<Position> positions) {
    public Duplicate {
      positions = List.copyOf(positions);
    }

    /// Returns whether two of the documents are in one file, where they cannot be alternatives.
    public boolean inOneFile() {
      return positions.stream().map(Position::source).distinct().count() < positions.size();
    }
  }
}
