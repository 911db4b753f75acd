package dev.policysync.convert.verification;

import dev.policysync.base.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a policy knows beside the resource, in place of a cluster: the same for both forms.
///
/// @param judged the resources that are judged with this context
/// @param objects the objects that the policy's context reads
/// @param everywhere whether the policy lists all namespaces: the command line finds only objects
///   without a namespace then
/// @param values the values that rules have in place of ConfigMaps, by rule and entry: the command
///   line does not read ConfigMaps for the legacy form
/// @param namespaces the labels of namespaces, if rules test namespaces
/// @param user the user of the requests, if rules test the user: `username`, `groups`
record ClusterContext(
    List<Value.Mapping> judged,
    List<Value.Mapping> objects,
    boolean everywhere,
    Map<String, Map<String, Value>> values,
    Map<String, Value.Mapping> namespaces,
    Optional<Value.Mapping> user) {
  ClusterContext {
    judged = List.copyOf(judged);
    objects = List.copyOf(objects);
    values = Map.copyOf(values);
    namespaces = Map.copyOf(namespaces);
  }

  /// Returns a context in which nothing is known beside the resources.
  static ClusterContext unknown(List<Value.Mapping> judged) {
    return new ClusterContext(judged, List.of(), false, Map.of(), Map.of(), Optional.empty());
  }
}
