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

/// The cluster's policies. A policy that cannot be written is a result; an API server that cannot
/// be reached is an exception.
public interface PolicyStore {
  /// Lists all policies of every kind, by their metadata.
  ///
  /// @throws ClusterUnavailable if not even the kinds could be read
  ActualPolicies list();

  /// Lists all policies without reading which kinds are served, if the store supports that. Kinds
  /// that are not in `served` count as absent, and a kind that is no longer served counts as
  /// unlistable.
  ///
  /// @param served the version of each kind, from an earlier list
  default ActualPolicies listServed(Map<PolicyKind, String> served) {
    return list();
  }

  /// Lists the policies of the other kinds, and adds the known lists.
  ///
  /// @param known the lists of kinds that were read before
  /// @throws ClusterUnavailable if not even the kinds could be read
  default ActualPolicies list(Map<PolicyKind, Listing> known) {
    var kinds = new EnumMap<PolicyKind, Listing>(list().kinds());
    kinds.putAll(known);
    return new ActualPolicies(kinds);
  }

  /// Returns the current state of one policy, by its metadata.
  ///
  /// @throws ClusterUnavailable if the policy could not be read
  Optional<LivePolicy> find(PolicyId id);

  /// Returns the current state of one policy, with its whole content.
  ///
  /// @throws ClusterUnavailable if the policy could not be read
  Optional<Value.Mapping> read(PolicyId id);

  /// Applies a policy, by server-side apply as our field manager; afterwards only we own fields of
  /// its spec. An update changes only the object on which the decision was based.
  Written apply(Action.Write write, WriteMode writeMode);

  /// Removes exactly the object on which the decision was based. An object that is already deleted
  /// counts as removed.
  Written remove(Action.Remove removal, WriteMode writeMode);

  /// Returns what applying would change.
  ///
  /// @throws ClusterUnavailable if this could not be found out
  Preview preview(Action.Write write);

  /// Does a dry run of a write: its result, and what it would change.
  ///
  /// @param known the object as it was read before, if it was; not used if the object has changed
  ///   since then
  /// @throws ClusterUnavailable if this could not be found out
  default DryRun dryRun(Action.Write write, Optional<Value.Mapping> known) {
    var written = apply(write, WriteMode.DRY_RUN);
    return new DryRun(
        written, written instanceof Written.Done ? Optional.of(preview(write)) : Optional.empty());
  }

  /// The API server's response to a dry run.
  ///
  /// @param preview what the write would change, if it would succeed
  record DryRun(Written written, Optional<Preview> preview) {}

  sealed interface Written {
    /// The write was done.
    ///
    /// @param warnings the warnings of the API server
    record Done(List<String> warnings) implements Written {
      public Done {
        warnings = List.copyOf(warnings);
      }
    }

    /// The object has changed since the decision, or is another one: it has to be read and the
    /// decision made again.
    record Stale() implements Written {}

    record Refused(Failure failure) implements Written {}
  }

  /// An object before and after a write, without its status and the fields that the server sets;
  /// without fields if the object does not exist.
  record Preview(Value.Mapping before, Value.Mapping after) {
    public boolean changesNothing() {
      return before.equals(after);
    }

    /// Returns whether the object stays the same apart from our ownership annotations.
    public boolean changesMarksOnly() {
      return OwnershipAnnotations.removeFrom(before).equals(OwnershipAnnotations.removeFrom(after));
    }
  }
}
