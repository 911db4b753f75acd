package dev.policysync.report.view;

import dev.policysync.report.Findings;
import dev.policysync.report.ReportKind;
import dev.policysync.report.ReportSizes;
import java.util.EnumMap;
import java.util.Map;

/// The storage that reports use in etcd, and would use with more Pods and policies.
///
/// @param measured whether the sizes of a result and a report were measured in this cluster; if
///   not, they are those observed with Kyverno 1.19
/// @param perResult bytes of a result
/// @param perReport bytes of a report without its results
public record Storage(
    Map<ReportKind, ReportSizes> kinds,
    ReportSizes all,
    boolean measured,
    double perResult,
    double perReport) {
  /// The size of a result, observed with Kyverno 1.19: reports with 5 to 6 results take 2.7 kB,
  /// results 450 bytes.
  private static final double USUAL_RESULT = 450;

  private static final double USUAL_REPORT = 225;

  /// The size of the reports per Pod for the Pod Security Standards' restricted profile, according
  /// to Kyverno's design document (<https://github.com/kyverno/kyverno/pull/6949>).
  private static final long THUMB_BYTES_PER_POD = 25_000;

  public Storage {
    kinds = Map.copyOf(kinds);
  }

  public static Storage of(Findings findings) {
    var all = findings.sizes().values().stream().reduce(ReportSizes.NONE, ReportSizes::plus);
    var measured = all.results() > 0;
    return new Storage(
        findings.sizes(),
        all,
        measured,
        measured ? all.perResult() : USUAL_RESULT,
        measured ? all.perReport() : USUAL_REPORT);
  }

  public Map<ReportKind, ReportSizes> inOrder() {
    var ordered = new EnumMap<ReportKind, ReportSizes>(ReportKind.class);
    ordered.putAll(kinds);
    return ordered;
  }

  /// Returns whether both API groups have reports: the older ones remain when Kyverno starts to
  /// write to openreports.io.
  public boolean inBothGroups() {
    return kinds.entrySet().stream()
            .filter(of -> of.getValue().reports() > 0)
            .map(of -> of.getKey().isOpenReports())
            .distinct()
            .count()
        > 1;
  }

  /// Returns the average number of results in a report; 0 if nothing was measured.
  public double resultsPerReport() {
    return all.reports() == 0 ? 0 : (double) all.results() / all.reports();
  }

  /// Estimates the storage for a number of Pods and policies.
  ///
  /// @param policies the number of policies that apply to each Pod; a policy with several rules
  ///   counts once for each rule
  public Estimate estimate(long pods, double policies) {
    var report = perReport + policies * perResult;
    var least = Math.round(pods * report);
    return new Estimate(pods, policies, least, 2 * least, pods * THUMB_BYTES_PER_POD);
  }

  /// An estimate in bytes in etcd.
  ///
  /// @param least if only the Pods have reports, one each
  /// @param most if each Pod has its own controller, with a report of the same size
  /// @param ruleOfThumb 25 MB for 1,000 Pods
  public record Estimate(long pods, double policies, long least, long most, long ruleOfThumb) {}
}
