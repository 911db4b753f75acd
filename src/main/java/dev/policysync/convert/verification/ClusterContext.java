package dev.policysync.convert.verification;

import dev.policysync.base.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a policy knows beside the resource, where there is no cluster: the same for both forms.
///
/// @param judged the resources that are judged there
/// @param objects that its context reads
/// @param everywhere whether lists of all namespaces are read: the command line has only what is in
///   no namespace in them
/// @param values what rules have in place of ConfigMaps, which the command line does not read for
///   the legacy form: by rule and entry
/// @param namespaces the labels of namespaces, where rules look at namespaces
/// @param user who makes the requests, where rules ask for that: `username`, `groups`
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

  /// One of which nothing is known.
  static ClusterContext unknown(List<Value.Mapping> judged) {
    return new ClusterContext(judged, List.of(), false, Map.of(), Map.of(), Optional.empty());
  }
}
