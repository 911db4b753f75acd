package dev.policysync.report;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The titles, descriptions and other annotations of the policies in a cluster, looked up by the
/// policy names in results.
final class PolicyMetadataIndex {
  private static final String PREFIX = "policies.kyverno.io/";

  /// Annotations with a link to documentation, the best first: our own, because Kyverno has none;
  /// the one that Argo CD shows as a link; two of Nirmata's policy sets, of which the second may
  /// also contain text.
  private static final List<String> LINKS =
      List.of(
          "policysync.dev/source-url",
          "link.argocd.argoproj.io/external-link",
          "policies.nirmata.io/remediation-docs",
          "policies.nirmata.io/remediation");

  /// The maximum length in characters, more than a browser's address line accepts.
  private static final int LONGEST_LINK = 2048;

  /// The kinds that are policies, in the order in which a name without a source is looked up.
  public static final List<PolicyKind> KINDS =
      PolicyKind.all().stream().filter(kind -> kind.role() == PolicyKind.Role.POLICY).toList();

  private final Map<PolicyId, Entry> entries = new HashMap<>();

  record Entry(
      PolicyId id,
      String title,
      String description,
      String remediation,
      Optional<String> link,
      Optional<Severity> severity,
      Optional<Category> category) {}

  public void add(PolicyId id, Value.Mapping annotations) {
    entries.put(
        id,
        new Entry(
            id,
            text(annotations, PREFIX + "title"),
            text(annotations, PREFIX + "description"),
            remediation(annotations),
            link(annotations),
            annotations.text(PREFIX + "severity").flatMap(Severity::of),
            annotations.text(PREFIX + "category").map(Category::of)));
  }

  private static String remediation(Value.Mapping annotations) {
    var own = text(annotations, PREFIX + "remediation");
    return own.isEmpty() ? text(annotations, "policies.nirmata.io/remediation") : own;
  }

  private static Optional<String> link(Value.Mapping annotations) {
    return LINKS.stream()
        .map(name -> text(annotations, name))
        .filter(PolicyMetadataIndex::isLink)
        .findFirst();
  }

  /// Accepts only https: a `javascript:` address would run a script, and a `data:` address could
  /// contain any page.
  private static boolean isLink(String text) {
    try {
      var uri = new URI(text);
      return text.length() <= LONGEST_LINK
          && "https".equalsIgnoreCase(uri.getScheme())
          && uri.getHost() != null;
    } catch (URISyntaxException _) {
      return false;
    }
  }

  private static String text(Value.Mapping annotations, String name) {
    return annotations.text(name).map(String::strip).orElse("");
  }

  /// Finds the policy of a result.
  ///
  /// @param source the result's source, ignoring case; may be empty
  /// @param name `team-label`, or `shop/team-label` for a namespaced policy
  /// @param namespace the resource's namespace; before Kyverno 1.8 the name of a namespaced policy
  ///   had no namespace
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
    return source.isEmpty() ? KINDS : PolicyKind.byResultSource(source);
  }
}
