package dev.policysync.report.view;

import dev.policysync.report.CollectionStatistics;
import dev.policysync.report.Findings;
import dev.policysync.report.ReportedPolicy;
import dev.policysync.report.Resource;
import dev.policysync.report.ResultMessage;
import dev.policysync.report.Severity;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Wording that several views share.
public final class DisplayText {
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private DisplayText() {}

  /// Formats a number: `12,345`.
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /// Formats a number with its noun: `1 finding`, `12,345 findings`.
  public static String counted(long number, String noun) {
    return count(number) + " " + noun + (number == 1 ? "" : "s");
  }

  /// Formats a time: `2026-11-21 19:40 UTC`.
  public static String minute(Instant at) {
    return MINUTE.format(at);
  }

  /// Formats an age: `3 days`, `5 h`, `12 min`. The page's script uses the same words.
  static String age(Duration age) {
    if (age.toDays() >= 2) {
      return count(age.toDays()) + " days";
    }
    return age.toHours() >= 1 ? age.toHours() + " h" : age.toMinutes() + " min";
  }

  /// Describes a comparison: `12 new and 5 gone since 2026-11-20 19:40 UTC`.
  public static String change(Comparison comparison) {
    return count(comparison.added())
        + " new and "
        + count(comparison.gone())
        + " gone since "
        + minute(comparison.since());
  }

  public static String namespace(String name) {
    return name.isEmpty() ? "no namespace" : name;
  }

  /// Returns the policy's title; empty if it is the policy's name.
  public static String title(ReportedPolicy policy) {
    return policy.title().equals(policy.name()) ? "" : policy.title();
  }

  /// Describes a resource's kind and namespace: `Deployment in shop`, `Namespace`.
  static String kind(Resource resource) {
    return resource.kind() + (resource.namespace().isEmpty() ? "" : " in " + resource.namespace());
  }

  /// Returns a sentence for each kind of report or result that was merged or left out, and one if
  /// owners are unknown.
  public static List<String> remarks(Findings findings, FindingContext context) {
    var lines = remarks(findings.statistics());
    if (context.owners().filter(owners -> !owners.readable()).isPresent()) {
      lines.add("Owners are unknown: the permission to list namespaces is missing");
    }
    return lines;
  }

  private static List<String> remarks(CollectionStatistics collectionStatistics) {
    var lines = new ArrayList<String>();
    remark(
        lines,
        collectionStatistics.staleReports(),
        "report",
        "ignored: the other API group (wgpolicyk8s.io, openreports.io) has newer reports of the"
            + " same resources");
    remark(
        lines,
        collectionStatistics.superseded(),
        "result",
        "ignored: superseded by newer results for the same rule and resource");
    remark(
        lines,
        collectionStatistics.ofControllers(),
        "result",
        "of Pods, ReplicaSets and Jobs merged into those of their controllers");
    remark(lines, collectionStatistics.withoutPolicy(), "result", "ignored: no policy name");
    remark(
        lines,
        collectionStatistics.unknownResults(),
        "result",
        "ignored: not pass, fail, warn, error or skip");
    remark(
        lines,
        collectionStatistics.unknownSeverities(),
        "result",
        "kept as " + Severity.UNRATED + ": unknown severity");
    remark(
        lines,
        collectionStatistics.malformed(),
        "result",
        "with a field of a wrong type, which was repaired or left out");
    remark(
        lines,
        collectionStatistics.cutMessages(),
        "message",
        "truncated to " + count(ResultMessage.LIMIT) + " characters");
    return lines;
  }

  private static void remark(List<String> lines, long count, String noun, String what) {
    if (count > 0) {
      lines.add(counted(count, noun) + " " + what);
    }
  }
}
