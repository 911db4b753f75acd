package dev.policysync.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The controllers that have results for one policy in one namespace, found by the names of the
/// objects that they create.
///
/// A Pod's own object names its controller, but a report on the Pod does not, so this class matches
/// names: a Deployment `cart` creates ReplicaSets `cart-7d9f8c6b5` and Pods `cart-7d9f8c6b5-x2k4q`;
/// a ReplicaSet, DaemonSet, Job or ReplicationController creates Pods `cart-x2k4q`; a StatefulSet
/// creates `cart-0`; a CronJob creates Jobs `cart-28934560`, and these create Pods
/// `cart-28934560-x2k4q`. If a generated name would be too long, the part before the last five
/// characters is truncated.
final class ControllerMatcher {
  /// The maximum length of a name's prefix before the API server adds five random characters.
  public static final int LONGEST = 58;

  private static final Pattern RANDOM = Pattern.compile("[a-z0-9]{5}");
  private static final Pattern TEMPLATE = Pattern.compile("[a-z0-9]{1,10}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,11}");

  private final Map<String, List<DedupedResult>> byName = new HashMap<>();

  /// Returns whether results of this kind may be merged into those of a controller.
  static boolean isControlled(String kind) {
    return kind.equals("Pod") || kind.equals("ReplicaSet") || kind.equals("Job");
  }

  /// Returns whether results of other kinds may be merged into those of this kind.
  static boolean isController(String kind) {
    return switch (kind) {
      case "Deployment",
          "ReplicaSet",
          "StatefulSet",
          "DaemonSet",
          "ReplicationController",
          "Job",
          "CronJob" ->
          true;
      default -> false;
    };
  }

  void add(String kind, String name, DedupedResult result) {
    byName.computeIfAbsent(key(kind, name), _ -> new ArrayList<>()).add(result);
  }

  /// Returns the results of controllers that may have created the named object, the outermost
  /// controller first.
  List<DedupedResult> controllersOf(String kind, String name) {
    var makers = new ArrayList<DedupedResult>();
    var last = name.lastIndexOf('-');
    if (last <= 0) {
      return makers;
    }
    var before = name.substring(0, last);
    var end = name.substring(last + 1);
    switch (kind) {
      case "Pod" -> pod(name, before, end, makers);
      case "ReplicaSet" -> {
        if (TEMPLATE.matcher(end).matches()) {
          find("Deployment", before, makers);
        }
      }
      case "Job" -> {
        if (NUMBER.matcher(end).matches()) {
          find("CronJob", before, makers);
        }
      }
      default -> {}
    }
    return makers;
  }

  private void pod(String name, String before, String end, List<DedupedResult> makers) {
    if (NUMBER.matcher(end).matches()) {
      find("StatefulSet", before, makers);
    }
    if (RANDOM.matcher(end).matches()) {
      var inner = before.lastIndexOf('-');
      if (inner > 0) {
        var template = before.substring(inner + 1);
        if (TEMPLATE.matcher(template).matches()) {
          find("Deployment", before.substring(0, inner), makers);
        }
        if (NUMBER.matcher(template).matches()) {
          find("CronJob", before.substring(0, inner), makers);
        }
      }
      direct(before, makers);
    } else if (name.length() == LONGEST + 5 && RANDOM.matcher(name.substring(LONGEST)).matches()) {
      // The controller's name was so long that the dash, or half of the template hash, was
      // truncated.
      find("Deployment", name.substring(0, LONGEST), makers);
      find("Deployment", before, makers);
      direct(name.substring(0, LONGEST), makers);
    }
  }

  private void direct(String before, List<DedupedResult> makers) {
    for (var kind : List.of("ReplicaSet", "DaemonSet", "Job", "ReplicationController")) {
      find(kind, before, makers);
    }
  }

  private void find(String kind, String name, List<DedupedResult> makers) {
    makers.addAll(byName.getOrDefault(key(kind, name), List.of()));
  }

  private static String key(String kind, String name) {
    return kind + "/" + (name.length() <= LONGEST ? name : name.substring(0, LONGEST));
  }
}
