package dev.policysync.cluster;

import dev.policysync.policy.PolicyKind;
import dev.policysync.report.CollectionFailed;
import dev.policysync.report.PageReader;
import dev.policysync.report.ReportKind;
import dev.policysync.report.ReportSource;
import dev.policysync.sync.ClusterUnavailable;
import dev.policysync.yaml.Value;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The reports of a real cluster, over its API: one discovery request, one list a kind and page.
public final class ClusterReports implements ReportSource {
  /// Some megabytes: what arrives while one page is folded waits in the connection, not in memory.
  private static final int PAGE = 500;

  private static final List<String> NAMESPACES = List.of("kyverno", "kyverno-system");

  /// Its name since Kyverno 1.10, and before.
  private static final List<String> DEPLOYMENTS =
      List.of("kyverno-admission-controller", "kyverno");

  private final KubeApi api;

  /// The reports that are reached over that connection.
  public ClusterReports(ClusterConnection connection) {
    this.api = new KubeApi(connection);
  }

  @Override
  public Kinds kinds() {
    try {
      var served = new Discovery(api).ask();
      var reports = new EnumMap<ReportKind, String>(ReportKind.class);
      for (var kind : ReportKind.values()) {
        version(served.get(kind)).ifPresent(version -> reports.put(kind, version));
      }
      var policies = new EnumMap<PolicyKind, String>(PolicyKind.class);
      for (var kind : PolicyKind.all()) {
        version(served.get(kind)).ifPresent(version -> policies.put(kind, version));
      }
      return new Kinds(reports, policies);
    } catch (ClusterUnavailable e) {
      throw new CollectionFailed(e.failure().reason(), e);
    }
  }

  @Override
  public <P extends PageReader> List<P> list(ReportKind kind, String version, Supplier<P> page) {
    return list(kind.qualified(), kind.group(), version, kind.plural(), KubeApi.JSON, page);
  }

  @Override
  public <P extends PageReader> List<P> list(
      PolicyKind kind, String version, Extent extent, Supplier<P> page) {
    var accept =
        switch (extent) {
          case METADATA -> KubeApi.METADATA_LIST;
          case WHOLE -> KubeApi.JSON;
        };
    return list(kind.qualified(), kind.group(), version, kind.plural(), accept, page);
  }

  @Override
  public Optional<String> admissionControllerImage() {
    for (var deployment : DEPLOYMENTS) {
      for (var namespace : NAMESPACES) {
        var image = image(namespace, deployment);
        if (image.isPresent()) {
          return image;
        }
      }
    }
    return Optional.empty();
  }

  private <P extends PageReader> List<P> list(
      String name, String group, String version, String plural, String accept, Supplier<P> page) {
    try {
      return new PagedLists(api, accept, PAGE)
          .pages(group, version, plural, page, PageReader::object);
    } catch (KubeApi.Refused e) {
      throw new CollectionFailed(Refusal.of("list " + name, e.answer()).reason(), e);
    } catch (ClusterUnavailable e) {
      throw new CollectionFailed("list " + name + ": " + e.failure().reason(), e);
    }
  }

  /// That the API server itself is not sure of a kind is no reason to believe that it has none.
  private static Optional<String> version(Discovery.Found found) {
    return switch (found) {
      case Discovery.Found.Served(var version) -> Optional.of(version);
      case Discovery.Found.Missing _ -> Optional.empty();
      case Discovery.Found.Uncertain(var failure) -> throw new CollectionFailed(failure.reason());
    };
  }

  /// The version is good to know and no reason to fail: whoever grants nothing for it has none.
  private Optional<String> image(String namespace, String deployment) {
    var path = List.of("apis", "apps", "v1", "namespaces", namespace, "deployments", deployment);
    try {
      var answer = api.get(api.url(path).build(), KubeApi.JSON);
      return answer.ok() ? containerImage(answer.body()) : Optional.empty();
    } catch (ClusterUnavailable _) {
      return Optional.empty();
    }
  }

  private static Optional<String> containerImage(Value.Mapping deployment) {
    var containers =
        deployment.mapping("spec").mapping("template").mapping("spec").items("containers").stream()
            .filter(Value.Mapping.class::isInstance)
            .map(Value.Mapping.class::cast)
            .toList();
    return containers.stream()
        .filter(container -> container.text("name").orElse("").equals("kyverno"))
        .findFirst()
        .or(() -> containers.stream().findFirst())
        .flatMap(container -> container.text("image"));
  }
}
