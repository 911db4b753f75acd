package dev.policysync.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The controllers that have results on one policy in one namespace, found by the names of what
/// they make.
///
/// A Pod says in its own object who made it, but its report does not, so names must do: a
/// Deployment `cart` makes ReplicaSets `cart-7d9f8c6b5` and Pods `cart-7d9f8c6b5-x2k4q`; a
/// ReplicaSet, DaemonSet, Job or ReplicationController makes Pods `cart-x2k4q`, a StatefulSet
/// `cart-0`; a CronJob makes Jobs `cart-28934560` and by them Pods `cart-28934560-x2k4q`. A name
/// that would be too long loses the end of what stands before its last five characters.
public final class ControllerMatcher {
  /// What the API server leaves of a name before the five characters that it adds.
  public static final int LONGEST = 58;

  private static final Pattern RANDOM = Pattern.compile("[a-z0-9]{5}");
  private static final Pattern TEMPLATE = Pattern.compile("[a-z0-9]{1,10}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,11}");

  /// Results on controllers, by kind and name.
  private final Map<String, List<DedupedResult>> byName = new HashMap<>();

  /// Kinds whose results may be folded into others'.
  static boolean isMade(String kind) {
    return kind.equals("Pod") || kind.equals("ReplicaSet") || kind.equals("Job");
  }

  /// Kinds that others' results may be folded into.
  static boolean isMaker(String kind) {
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

  /// Results on what may have made an object of that kind and name, the outermost first.
  List<DedupedResult> makersOf(String kind, String name) {
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
      // Its maker's name was so long that not even the dash is left, or only half a template's.
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
