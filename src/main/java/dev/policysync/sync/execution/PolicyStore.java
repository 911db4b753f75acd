package dev.policysync.sync.execution;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The cluster's policies. A policy that cannot be written is an answer, an API server that cannot
/// be spoken to at all an exception.
public interface PolicyStore {
  /// All policies of every kind there is, by their metadata.
  ///
  /// @throws ClusterUnavailable if not even the kinds could be learnt
  ActualPolicies list();

  /// The same without asking which kinds are served, as far as a store can do without: kinds that
  /// are not named count as absent, and one that is no longer served cannot be listed.
  ///
  /// @param served the version of each kind, from an earlier list
  default ActualPolicies listServed(Map<PolicyKind, String> served) {
    return list();
  }

  /// The same of the kinds of which nothing is known.
  ///
  /// @param known what was listed before
  /// @throws ClusterUnavailable if not even the kinds could be learnt
  default ActualPolicies list(Map<PolicyKind, Listing> known) {
    var kinds = new EnumMap<PolicyKind, Listing>(list().kinds());
    kinds.putAll(known);
    return new ActualPolicies(kinds);
  }

  /// One policy as it is now.
  ///
  /// @throws ClusterUnavailable if that could not be read
  Optional<LivePolicy> find(PolicyId id);

  /// One policy with all that it says, as it is now.
  ///
  /// @throws ClusterUnavailable if that could not be read
  Optional<Value.Mapping> read(PolicyId id);

  /// Applies a policy, by server-side apply as our field manager; afterwards every field of its
  /// spec is ours alone. An update touches only the very object it was judged by.
  Written apply(Action.Write write, WriteMode writeMode);

  /// Removes exactly the object that was judged. One that is gone already counts as removed.
  Written remove(Action.Remove removal, WriteMode writeMode);

  /// What applying would change.
  ///
  /// @throws ClusterUnavailable if that could not be found out
  Preview preview(Action.Write write);

  /// The dry run of a write: how it would end, and what it would change.
  ///
  /// @param known the object as it was read before, if it was; of no use once it has changed
  /// @throws ClusterUnavailable if that could not be found out
  default DryRun dryRun(Action.Write write, Optional<Value.Mapping> known) {
    var written = apply(write, WriteMode.DRY_RUN);
    return new DryRun(
        written, written instanceof Written.Done ? Optional.of(preview(write)) : Optional.empty());
  }

  /// What the API server says to a dry run.
  ///
  /// @param preview what the write would change, where it would be done
  record DryRun(Written written, Optional<Preview> preview) {}

  /// How a write ended.
  sealed interface Written {
    /// It is done.
    ///
    /// @param warnings what the API server had to say about it
    record Done(List<String> warnings) implements Written {
      public Done {
        warnings = List.copyOf(warnings);
      }
    }

    /// The object changed since it was judged, or is another one: read it again and judge anew.
    record Stale() implements Written {}

    /// It was refused.
    record Refused(Failure failure) implements Written {}
  }

  /// An object before and after a write, without status and what the server keeps for itself; no
  /// fields at all where it does not exist.
  record Preview(Value.Mapping before, Value.Mapping after) {
    /// Whether the object stays as it is.
    public boolean changesNothing() {
      return before.equals(after);
    }

    /// Whether the object stays as it is, but for our marks on it.
    public boolean changesMarksOnly() {
      return OwnershipAnnotations.without(before).equals(OwnershipAnnotations.without(after));
    }
  }
}
