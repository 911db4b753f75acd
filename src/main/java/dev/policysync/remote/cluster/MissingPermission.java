package dev.policysync.remote.cluster;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Explains which permission to grant after a 403. RBAC's message contains the verb and the
/// resource:
///
/// ```
/// clusterpolicies.kyverno.io "a" is forbidden: User "system:serviceaccount:shop:agent" cannot
/// patch resource "clusterpolicies" in API group "kyverno.io" at the cluster scope
/// ```
///
/// The ClusterRole also grants namespaced kinds, because the agent works in all namespaces.
public final class MissingPermission {
  private static final Pattern ON_RESOURCE =
      Pattern.compile("cannot (\\S+) resource \"([^\"]+)\" in API group \"([^\"]*)\"");
  private static final Pattern ON_PATH = Pattern.compile("cannot (\\S+) path \"([^\"]+)\"");

  private MissingPermission() {}

  /// Returns advice to append to a message: `; add the verb patch on clusterpolicies.kyverno.io to
  /// the agent's ClusterRole`.
  public static String advice(String message) {
    if (message.contains("User \"system:anonymous\"")) {
      return "; the request was anonymous: the kubeconfig user has no credentials, or its plugin"
          + " returned none";
    }
    var resource = ON_RESOURCE.matcher(message);
    if (resource.find()) {
      return grant(resource.group(1), name(resource.toMatchResult()));
    }
    var path = ON_PATH.matcher(message);
    return path.find()
        ? grant(path.group(1), "the path (nonResourceURLs) " + path.group(2))
        : "; check that the agent's ClusterRole allows it and that no proxy in between denies it";
  }

  /// Returns advice for a 403 on the Lease. These permissions belong in a Role in the Lease's
  /// namespace.
  public static String onLease(String message, String namespace) {
    return byRole(message, "get, create and update", "leases.coordination.k8s.io", namespace);
  }

  /// Returns advice for a 403 on Events, whose permissions belong in a Role, too.
  public static String onEvents(String message, String namespace) {
    return byRole(message, "create, get and patch", "events.events.k8s.io", namespace);
  }

  private static String byRole(String message, String all, String on, String namespace) {
    var resource = ON_RESOURCE.matcher(message);
    var verbs = resource.find() ? "the verb " + resource.group(1) : "the verbs " + all;
    return "; add " + verbs + " on " + on + " to the agent's Role in namespace " + namespace;
  }

  private static String grant(String verb, String on) {
    return "; add the verb " + verb + " on " + on + " to the agent's ClusterRole";
  }

  private static String name(MatchResult found) {
    return found.group(3).isEmpty() ? found.group(2) : found.group(2) + "." + found.group(3);
  }
}
