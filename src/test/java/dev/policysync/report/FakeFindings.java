package dev.policysync.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Findings that a test wrote, or makes one by one as they are asked for.
///
/// @param count how many there are
/// @param finding which one that is
public record FakeFindings(
    Totals totals,
    CollectionStatistics statistics,
    Map<ReportKind, ReportSizes> sizes,
    int count,
    IntFunction<Finding> finding)
    implements Findings {

  /// A cluster without any report.
  public static FakeFindings none(Map<ReportKind, ReportSizes> sizes) {
    return of(List.of(), Map.of(), CollectionStatistics.NONE, sizes);
  }

  /// These findings, and results without one.
  ///
  /// @param others how many results pass, by policy; every namespace has its share of them
  public static FakeFindings of(
      List<Finding> findings,
      Map<ReportedPolicy, Long> others,
      CollectionStatistics collectionStatistics,
      Map<ReportKind, ReportSizes> sizes) {
    var passed = others.values().stream().mapToLong(Long::longValue).sum();
    var policies = by(findings, Finding::policy);
    others.forEach((policy, count) -> policies.merge(policy, passed(count), FakeFindings::sum));
    var namespaces = by(findings, finding -> finding.resource().namespace());
    var severities = by(findings, Finding::severity);
    var categories = by(findings, Finding::category);
    if (passed > 0) {
      var share = passed / Math.max(1, namespaces.size());
      namespaces.replaceAll((_, resultCounts) -> sum(resultCounts, passed(share)));
      namespaces.merge("shop", passed(passed - share * namespaces.size()), FakeFindings::sum);
      severities.merge(Severity.MEDIUM, passed(passed), FakeFindings::sum);
      categories.merge(Category.SECURITY, passed(passed), FakeFindings::sum);
    }
    var totals =
        new Totals(
            sum(counts(findings), passed(passed)),
            policies.entrySet().stream()
                .map(of -> new Totals.OfPolicy(of.getKey(), of.getValue()))
                .toList(),
            namespaces.entrySet().stream()
                .map(of -> new Totals.OfNamespace(of.getKey(), of.getValue()))
                .toList(),
            severities,
            categories);
    return new FakeFindings(totals, collectionStatistics, sizes, findings.size(), findings::get);
  }

  @Override
  public Stream<Finding> stream() {
    return IntStream.range(0, count).mapToObj(finding);
  }

  @Override
  public void close() {}

  private static <K> Map<K, ResultCounts> by(List<Finding> findings, Function<Finding, K> key) {
    return findings.stream()
        .collect(
            Collectors.groupingBy(
                key,
                LinkedHashMap::new,
                Collectors.collectingAndThen(Collectors.toList(), FakeFindings::counts)));
  }

  private static ResultCounts counts(List<Finding> findings) {
    return new ResultCounts(
        0,
        count(findings, ReportResult.FAIL),
        count(findings, ReportResult.WARN),
        count(findings, ReportResult.ERROR),
        0);
  }

  private static long count(List<Finding> findings, ReportResult result) {
    return findings.stream().filter(finding -> finding.result() == result).count();
  }

  private static ResultCounts passed(long count) {
    return new ResultCounts(count, 0, 0, 0, 0);
  }

  private static ResultCounts sum(ResultCounts one, ResultCounts other) {
    return new ResultCounts(
        one.pass() + other.pass(),
        one.fail() + other.fail(),
        one.warn() + other.warn(),
        one.error() + other.error(),
        one.skip() + other.skip());
  }
}
