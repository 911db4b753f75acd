package dev.policysync.report.view;

import dev.policysync.report.Findings;
import dev.policysync.report.ReportKind;
import dev.policysync.report.ReportSizes;
import java.util.EnumMap;
import java.util.Map;

/// How much room reports take in etcd, and would take.
///
/// @param measured how large a result and a report are was measured here; else they are those seen
///   of Kyverno 1.19
/// @param perResult bytes of a result
/// @param perReport bytes of a report beside its results
public record Storage(
    Map<ReportKind, ReportSizes> kinds,
    ReportSizes all,
    boolean measured,
    double perResult,
    double perReport) {
  /// Seen of Kyverno 1.19: reports of 5 to 6 results are 2.7 kB, results 450 bytes.
  private static final double USUAL_RESULT = 450;

  private static final double USUAL_REPORT = 225;

  /// Of the Pod Security Standards' restricted profile, by Kyverno's own design document
  /// (<https://github.com/kyverno/kyverno/pull/6949>).
  private static final long THUMB_BYTES_PER_POD = 25_000;

  public Storage {
    kinds = Map.copyOf(kinds);
  }

  /// What these findings were read from.
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

  /// The kinds in their usual order.
  public Map<ReportKind, ReportSizes> inOrder() {
    var ordered = new EnumMap<ReportKind, ReportSizes>(ReportKind.class);
    ordered.putAll(kinds);
    return ordered;
  }

  /// Whether both groups hold reports: the older ones stay when Kyverno begins to write the newer.
  public boolean inBothGroups() {
    return kinds.entrySet().stream()
            .filter(of -> of.getValue().reports() > 0)
            .map(of -> of.getKey().open())
            .distinct()
            .count()
        > 1;
  }

  /// Results that a report has here, on average; 0 where nothing was measured.
  public double resultsPerReport() {
    return all.reports() == 0 ? 0 : (double) all.results() / all.reports();
  }

  /// What it would be with so many Pods and policies.
  ///
  /// @param policies that apply to each Pod; one with several rules counts as often as it has rules
  public Estimate estimate(long pods, double policies) {
    var report = perReport + policies * perResult;
    var least = Math.round(pods * report);
    return new Estimate(pods, policies, least, 2 * least, pods * THUMB_BYTES_PER_POD);
  }

  /// Bytes in etcd.
  ///
  /// @param least where each Pod has a report, and nothing else has
  /// @param most where each Pod has a controller of its own, which has a report of the same size
  /// @param ruleOfThumb 25 MB for 1,000 Pods
  public record Estimate(long pods, double policies, long least, long most, long ruleOfThumb) {}
}
