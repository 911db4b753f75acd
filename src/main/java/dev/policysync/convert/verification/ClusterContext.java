package dev.policysync.convert.verification;

import dev.policysync.json.Value;
import java.util.List;
import java.util.Map;

/// What a policy's context reads of a cluster, where there is none: the same for both forms.
///
/// @param judged the resources that are judged there
/// @param objects that are there beside them
/// @param everywhere whether lists of all namespaces are read: the command line has only what is in
///   no namespace in them
/// @param values what rules have in place of ConfigMaps, which the command line does not read for
///   the legacy form: by rule and entry
record ClusterContext(
    List<Value.Mapping> judged,
    List<Value.Mapping> objects,
    boolean everywhere,
    Map<String, Map<String, Value>> values) {
  ClusterContext {
    judged = List.copyOf(judged);
    objects = List.copyOf(objects);
    values = Map.copyOf(values);
  }

  /// One of which nothing is read.
  static ClusterContext unread(List<Value.Mapping> judged) {
    return new ClusterContext(judged, List.of(), false, Map.of());
  }

  boolean isEmpty() {
    return objects.isEmpty();
  }
}
