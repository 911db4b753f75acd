package dev.policysync.install;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/// One thing that a role allows: `delete clusterpolicies.kyverno.io`.
///
/// @param name of the only object that it concerns; empty for all
record Permission(String verb, String resource, String group, String name)
    implements Comparable<Permission> {
  /// What the agent does with a policy.
  static final List<String> VERBS = List.of("list", "get", "create", "patch", "delete");

  static Permission of(String verb, PolicyKind kind) {
    return new Permission(verb, kind.plural(), kind.group(), "");
  }

  static Permission ofLease(String verb) {
    var name = verb.equals("create") ? "" : "kyverno-policy-sync-lock";
    return new Permission(verb, "leases", "coordination.k8s.io", name);
  }

  static Permission ofEvents(String verb) {
    return new Permission(verb, "events", "events.k8s.io", "");
  }

  /// To read what Kyverno found.
  static Stream<Permission> ofReports() {
    return Stream.of(
        new Permission("list", "policyreports", "wgpolicyk8s.io", ""),
        new Permission("list", "clusterpolicyreports", "wgpolicyk8s.io", ""),
        new Permission("list", "reports", "openreports.io", ""),
        new Permission("list", "clusterreports", "openreports.io", ""));
  }

  /// To see which Kyverno there is, and whether it is at work.
  static Stream<Permission> ofKyverno() {
    var deployments =
        Stream.of("kyverno", "kyverno-admission-controller")
            .map(name -> new Permission("get", "deployments", "apps", name));
    var webhooks =
        Stream.of("policy", "exception", "cel-exception", "global-context", "cleanup")
            .map(what ->
                new Permission(
                    "get",
                    "validatingwebhookconfigurations",
                    "admissionregistration.k8s.io",
                    "kyverno-" + what + "-validating-webhook-cfg"));
    var health = new Permission("list", "leases", "coordination.k8s.io", "kyverno-health");
    return Stream.of(deployments, webhooks, Stream.of(health)).flatMap(Function.identity());
  }

  /// Everything that a Role or ClusterRole allows, a permission a verb, resource and name.
  static Set<Permission> in(Value.Mapping role) {
    var permissions = new TreeSet<Permission>();
    for (var item : role.items("rules")) {
      var rule = (Value.Mapping) item;
      var names =
          rule.field("resourceNames").isEmpty() ? List.of("") : texts(rule, "resourceNames");
      for (var group : texts(rule, "apiGroups")) {
        for (var resource : texts(rule, "resources")) {
          for (var verb : texts(rule, "verbs")) {
            names.forEach(name -> permissions.add(new Permission(verb, resource, group, name)));
          }
        }
      }
    }
    return permissions;
  }

  /// That role without this permission.
  Value.Mapping takenFrom(Value.Mapping role) {
    var rules = new ArrayList<Value>();
    for (var permission : in(role)) {
      if (!permission.equals(this)) {
        rules.add(permission.rule());
      }
    }
    return role.with("rules", new Value.Sequence(rules));
  }

  private Value rule() {
    var rule =
        Value.Mapping.EMPTY
            .with("apiGroups", list(group))
            .with("resources", list(resource))
            .with("verbs", list(verb));
    return name.isEmpty() ? rule : rule.with("resourceNames", list(name));
  }

  private static Value list(String text) {
    return new Value.Sequence(List.of(new Value.Text(text)));
  }

  private static List<String> texts(Value.Mapping rule, String field) {
    return rule.items(field).stream().map(item -> ((Value.Text) item).text()).toList();
  }

  @Override
  public int compareTo(Permission other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return verb + " " + resource + "." + group + (name.isEmpty() ? "" : "/" + name);
  }
}
