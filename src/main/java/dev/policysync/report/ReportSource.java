package dev.policysync.report;

import dev.policysync.policy.PolicyKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Reads policies and policy reports from the cluster.
public interface ReportSource {
  /// Returns the kinds that the cluster serves. Call it once for each collection.
  ///
  /// @throws CollectionFailed if discovery failed
  Kinds kinds();

  /// The kinds that the cluster serves, each with the version to read it in. A kind that is absent
  /// has no objects.
  record Kinds(Map<ReportKind, String> reports, Map<PolicyKind, String> policies) {
    public Kinds {
      reports = Map.copyOf(reports);
      policies = Map.copyOf(policies);
    }
  }

  /// Reads all reports of a kind, page by page.
  ///
  /// @param page creates a reader for each requested page
  /// @return the readers of the pages that make up the list; discard what other readers received
  /// @throws CollectionFailed if the list is incomplete; the message names the permission if one is
  ///   missing
  <P extends PageReader> List<P> list(ReportKind kind, String version, Supplier<P> page);

  /// Reads all policies of a kind, like [#list(ReportKind, String, Supplier)].
  <P extends PageReader> List<P> list(
      PolicyKind kind, String version, Extent extent, Supplier<P> page);

  enum Extent {
    METADATA,
    WHOLE
  }

  /// Returns Kyverno's version, `v1.19.0`; empty if it was not found or may not be read.
  Optional<String> kyvernoVersion();

  /// Returns whether Kyverno is installed, or may be because something could not be read.
  default boolean kyvernoMayBeInstalled() {
    return kyvernoVersion().isPresent();
  }
}
