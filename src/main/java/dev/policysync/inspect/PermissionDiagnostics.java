package dev.policysync.inspect;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// Asks the API server what the agent may do in the cluster.
public interface PermissionDiagnostics {
  /// Returns for each access, in the same order, whether it is allowed.
  Map<Access, ProbeResult<Boolean>> allowed(List<Access> accesses);

  /// Returns which API groups of policy reports are served: `wgpolicyk8s.io`.
  ProbeResult<Set<String>> reportGroups();

  /// An access to a resource, as in a SelfSubjectAccessReview.
  ///
  /// @param namespace empty for all namespaces
  /// @param name the name of the only object; empty for all objects
  record Access(String verb, String group, String resource, String namespace, String name) {
    /// Creates an access in all namespaces.
    static Access everywhere(String verb, String group, String resource) {
      return new Access(verb, group, resource, "", "");
    }
  }
}
