package dev.policysync.report;

import dev.policysync.policy.PolicyKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// The cluster, as far as reports are concerned.
public interface ReportSource {
  /// Asks once which kinds there are.
  ///
  /// @throws CollectionFailed if that cannot be told
  Kinds kinds();

  /// Kinds that the cluster serves, each with the version to read it in; one that is not among them
  /// has no objects.
  record Kinds(Map<ReportKind, String> reports, Map<PolicyKind, String> policies) {
    public Kinds {
      reports = Map.copyOf(reports);
      policies = Map.copyOf(policies);
    }
  }

  /// Reads all reports of a kind, page by page.
  ///
  /// @param page makes a reader for each page that is asked for
  /// @return those of the readers whose pages make up the list; what the others were told is void
  /// @throws CollectionFailed if the list is not complete, naming the missing permission where it
  ///   is one
  <P extends PageReader> List<P> list(ReportKind kind, String version, Supplier<P> page);

  /// The same with policies.
  <P extends PageReader> List<P> list(
      PolicyKind kind, String version, Extent extent, Supplier<P> page);

  /// How much of each object is wanted.
  enum Extent {
    METADATA,
    WHOLE
  }

  /// Kyverno's version, `v1.19.0`; empty where it is not to be found or may not be read.
  Optional<String> kyvernoVersion();

  /// Whether Kyverno is installed, or may be, as something could not be read.
  default boolean kyvernoMayBeInstalled() {
    return kyvernoVersion().isPresent();
  }
}
