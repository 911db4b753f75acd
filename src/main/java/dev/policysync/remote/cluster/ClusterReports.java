package dev.policysync.remote.cluster;

import dev.policysync.base.Json;
import dev.policysync.policy.PolicyKind;
import dev.policysync.report.CollectionFailed;
import dev.policysync.report.PageReader;
import dev.policysync.report.ReportKind;
import dev.policysync.report.ReportSource;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Reads the reports of a real cluster from its API: one discovery request, then one list per kind
/// and page.
public final class ClusterReports implements ReportSource {
  private static final int PAGE = 500;
  private static final int FORBIDDEN = 403;

  private final KubeApi api;

  public ClusterReports(ClusterConnection connection) {
    this.api = new KubeApi(connection);
  }

  @Override
  public Kinds kinds() {
    try {
      var served = new Discovery(api).discover();
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

  /// Returns Kyverno's version. Empty if it cannot be read: it is optional, and reading it needs a
  /// permission that the report does not need.
  @Override
  public Optional<String> kyvernoVersion() {
    try {
      return KyvernoDeployment.find(api) instanceof KyvernoDeployment.Search.Found(var deployment)
          ? deployment.version()
          : Optional.empty();
    } catch (ClusterUnavailable _) {
      return Optional.empty();
    }
  }

  @Override
  public boolean kyvernoMayBeInstalled() {
    try {
      return KyvernoDeployment.mayBeInstalled(api);
    } catch (ClusterUnavailable _) {
      return true;
    }
  }

  /// Returns the value of a label for each namespace that has it, from the metadata alone. Empty if
  /// listing namespaces is forbidden.
  ///
  /// @throws CollectionFailed if the namespaces could not be read for another reason
  public Optional<Map<String, String>> namespaceLabels(String label) {
    var values = new HashMap<String, String>();
    try {
      var url = api.url(List.of("api", "v1", "namespaces")).build();
      new PagedLists(api, KubeApi.METADATA_LIST, PAGE)
          .read(
              url,
              () -> values,
              (page, parser) -> {
                var metadata = PagedLists.object(Json.next(parser)).mapping("metadata");
                metadata
                    .mapping("labels")
                    .text(label)
                    .ifPresent(value -> page.put(metadata.text("name").orElse(""), value));
              });
      return Optional.of(values);
    } catch (KubeApi.ErrorResponseException e) {
      if (e.answer().status() == FORBIDDEN) {
        return Optional.empty();
      }
      throw new CollectionFailed(
          ApiErrorClassifier.classify("list namespaces", e.answer()).reason(), e);
    } catch (ClusterUnavailable e) {
      throw new CollectionFailed("list namespaces: " + e.failure().reason(), e);
    }
  }

  private <P extends PageReader> List<P> list(
      String name, String group, String version, String plural, String accept, Supplier<P> page) {
    try {
      var url = api.url(List.of("apis", group, version, plural)).build();
      return new PagedLists(api, accept, PAGE).read(url, page, PageReader::object);
    } catch (KubeApi.ErrorResponseException e) {
      throw new CollectionFailed(
          ApiErrorClassifier.classify("list " + name, e.answer()).reason(), e);
    } catch (ClusterUnavailable e) {
      throw new CollectionFailed("list " + name + ": " + e.failure().reason(), e);
    }
  }

  /// Returns the served version of a kind. Fails if the API server is uncertain, because there may
  /// be reports then.
  private static Optional<String> version(Discovery.Found found) {
    return switch (found) {
      case Discovery.Found.Served(var version) -> Optional.of(version);
      case Discovery.Found.Missing _ -> Optional.empty();
      case Discovery.Found.Uncertain(var failure) -> throw new CollectionFailed(failure.reason());
    };
  }
}
