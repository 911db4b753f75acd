package dev.policysync.report.dedup;

import dev.policysync.json.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.report.finding.Category;
import dev.policysync.report.finding.Severity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the policies of a cluster say about themselves, found by how results name them.
public final class PolicyMetadataIndex {
  private static final String PREFIX = "policies.kyverno.io/";

  /// The kinds that are policies, in the order in which a name without a source is looked for.
  public static final List<PolicyKind> KINDS =
      PolicyKind.all().stream().filter(kind -> kind.role() == PolicyKind.Role.POLICY).toList();

  private final Map<PolicyId, Entry> entries = new HashMap<>();

  /// A policy's own words.
  record Entry(
      PolicyId id,
      String title,
      String description,
      String remediation,
      Optional<Severity> severity,
      Optional<Category> category) {}

  /// Notes a policy.
  public void add(PolicyId id, Value.Mapping annotations) {
    entries.put(
        id,
        new Entry(
            id,
            text(annotations, PREFIX + "title"),
            text(annotations, PREFIX + "description"),
            remediation(annotations),
            annotations.text(PREFIX + "severity").flatMap(Severity::of),
            annotations.text(PREFIX + "category").map(Category::of)));
  }

  private static String remediation(Value.Mapping annotations) {
    var own = text(annotations, PREFIX + "remediation");
    return own.isEmpty() ? text(annotations, "policies.nirmata.io/remediation") : own;
  }

  private static String text(Value.Mapping annotations, String name) {
    return annotations.text(name).map(String::strip).orElse("");
  }

  /// The policy of a result.
  ///
  /// @param source as the result has it, in any case; empty where it has none
  /// @param name `team-label`, or `shop/team-label` where the policy lives in a namespace
  /// @param namespace of the resource: before Kyverno 1.8 the name of a policy that lives in a
  ///   namespace came without it
  Optional<Entry> find(String source, String name, String namespace) {
    var slash = name.indexOf('/');
    var kinds = kinds(source);
    for (var kind : kinds) {
      if (kind.namespaced() && slash > 0 && slash < name.length() - 1) {
        var found = PolicyId.of(kind, name.substring(0, slash), name.substring(slash + 1));
        if (entries.containsKey(found)) {
          return Optional.ofNullable(entries.get(found));
        }
      } else if (!kind.namespaced() && slash < 0) {
        var found = PolicyId.of(kind, name);
        if (entries.containsKey(found)) {
          return Optional.ofNullable(entries.get(found));
        }
      }
    }
    return slash < 0 && !namespace.isEmpty()
        ? find(source, namespace + "/" + name, "")
        : Optional.empty();
  }

  private static List<PolicyKind> kinds(String source) {
    return source.isEmpty() ? KINDS : PolicyKind.reporting(source);
  }
}
