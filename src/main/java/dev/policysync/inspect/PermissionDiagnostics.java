package dev.policysync.inspect;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// What we may do in a cluster, as the API server itself judges it.
public interface PermissionDiagnostics {
  /// Whether we may do each of these, in their order.
  Map<Access, ProbeResult<Boolean>> allowed(List<Access> accesses);

  /// Which groups of policy reports are served: `wgpolicyk8s.io`.
  ProbeResult<Set<String>> reportGroups();

  /// Something that we want to do with a kind of object.
  ///
  /// @param namespace where; empty for all
  /// @param name of the only object that it concerns; empty for all
  record Access(String verb, String group, String resource, String namespace, String name) {
    /// In the whole cluster.
    static Access everywhere(String verb, String group, String resource) {
      return new Access(verb, group, resource, "", "");
    }
  }
}
