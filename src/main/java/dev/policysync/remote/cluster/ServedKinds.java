package dev.policysync.remote.cluster;

import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyKind;
import dev.policysync.report.ReportKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The result of [Discovery], by group.
public record ServedKinds(Map<String, Value.Mapping> groups) {
  public ServedKinds {
    groups = Map.copyOf(groups);
  }

  /// Looks up a kind of policy. Only a version that policy-sync knows is used.
  public Discovery.Found get(PolicyKind kind) {
    var served = versions(kind.group(), kind.kind(), kind.plural());
    if (served.isEmpty()) {
      return uncertain(kind.group());
    }
    for (var version : kind.versions()) {
      if (served.get().contains(version)) {
        return new Discovery.Found.Served(version);
      }
    }
    return new Discovery.Found.Missing(
        served.get().isEmpty()
            ? "the cluster does not serve the kind "
                + kind.qualified()
                + "; install its CRD (a newer Kyverno or Kubernetes), or remove it from the feed"
            : "the cluster serves "
                + kind.qualified()
                + " only as "
                + String.join(", ", served.get())
                + ", but policy-sync applies it as "
                + String.join(", ", kind.versions()));
  }

  /// Returns every apiVersion at which a kind of policy is served, known to policy-sync or not:
  /// `kyverno.io/v1`.
  public Set<String> apiVersions(PolicyKind kind) {
    return versions(kind.group(), kind.kind(), kind.plural()).orElse(List.of()).stream()
        .map(version -> kind.group() + "/" + version)
        .collect(Collectors.toUnmodifiableSet());
  }

  /// Looks up a kind of report. It may be served in any version, because it is only read.
  public Discovery.Found get(ReportKind kind) {
    var served = versions(kind.group(), kind.kind(), kind.plural());
    if (served.isEmpty()) {
      return uncertain(kind.group());
    }
    return kind.versions().stream()
        .filter(served.get()::contains)
        .findFirst()
        .or(() -> served.get().stream().findFirst())
        .<Discovery.Found>map(Discovery.Found.Served::new)
        .orElseGet(() ->
            new Discovery.Found.Missing("the cluster does not serve the kind " + kind.qualified()));
  }

  /// Returns the versions that serve a kind, in the API server's order; empty if the API server
  /// does not know them at present.
  private Optional<List<String>> versions(String groupName, String kind, String plural) {
    var group = groups.getOrDefault(groupName, Value.Mapping.EMPTY);
    var served = new ArrayList<String>();
    for (var item : group.items("versions")) {
      if (!(item instanceof Value.Mapping version)) {
        continue;
      }
      if (version.text("freshness").orElse("Current").equals("Stale")) {
        return Optional.empty();
      }
      if (hasKind(version, kind, plural)) {
        served.add(version.text("version").orElse(""));
      }
    }
    return Optional.of(served);
  }

  private static Discovery.Found uncertain(String group) {
    return new Discovery.Found.Uncertain(
        new Failure(
            Failure.Cause.OVERLOADED, "the API server has no current discovery data for " + group));
  }

  private static boolean hasKind(Value.Mapping version, String kind, String plural) {
    return version.items("resources").stream()
        .anyMatch(item ->
            item instanceof Value.Mapping resource
                && resource.text("resource").orElse("").equals(plural)
                && resource.mapping("responseKind").text("kind").orElse("").equals(kind));
  }
}
