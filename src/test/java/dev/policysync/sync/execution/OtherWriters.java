package dev.policysync.sync.execution;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import java.util.Optional;

/// What people and programs beside this agent do to a policy. Texts are YAML; of an object they
/// hold all, of a patch what changes.
public interface OtherWriters {
  /// Creates an object, as `kubectl create` does.
  void create(String object);

  /// Changes fields by a merge patch (null removes one, lists are replaced), as `kubectl edit`
  /// does.
  void edit(PolicyId id, String patch);

  /// Applies an object by a server-side apply of another manager, with force.
  void apply(String object);

  /// Applies an object by a server-side apply under our manager's name, with force.
  void applyAsUs(String object);

  /// Cuts the entries of all others out of the record of who owns which field.
  void cutOutOthers(PolicyId id);

  /// Writes the status subresource, as Kyverno does.
  void report(PolicyId id, String status);

  /// Wipes the record of who owns which field.
  void forgetOwners(PolicyId id);

  /// Removes an object.
  void remove(PolicyId id);

  /// The whole object as it is now.
  Optional<Value.Mapping> read(PolicyId id);
}
