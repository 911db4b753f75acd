package dev.policysync.view;

import dev.policysync.report.finding.CollectionStatistics;
import dev.policysync.report.finding.Resource;
import dev.policysync.report.finding.ResultMessage;
import dev.policysync.report.finding.Severity;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The wording that a person meets in more than one view.
public final class DisplayText {
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private DisplayText() {}

  /// `12,345`.
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /// `1 finding`, `12,345 findings`.
  public static String counted(long number, String noun) {
    return count(number) + " " + noun + (number == 1 ? "" : "s");
  }

  /// `2026-11-21 19:40 UTC`.
  public static String minute(Instant at) {
    return MINUTE.format(at);
  }

  /// The name of a namespace, also of none.
  public static String namespace(String name) {
    return name.isEmpty() ? "no namespace" : name;
  }

  /// `Deployment in shop`, `Namespace`.
  static String kind(Resource resource) {
    return resource.kind() + (resource.namespace().isEmpty() ? "" : " in " + resource.namespace());
  }

  /// What was folded or left out, a sentence each, as far as it happened.
  public static List<String> remarks(CollectionStatistics collectionStatistics) {
    var lines = new ArrayList<String>();
    remark(
        lines,
        collectionStatistics.staleReports(),
        "report",
        "left out: the other group (wgpolicyk8s.io, openreports.io) has newer ones of the same"
            + " resources");
    remark(
        lines,
        collectionStatistics.superseded(),
        "result",
        "left out: there are newer ones of the same rule and resource");
    remark(
        lines,
        collectionStatistics.ofControllers(),
        "result",
        "of Pods, ReplicaSets and Jobs counted with their controllers'");
    remark(lines, collectionStatistics.withoutPolicy(), "result", "left out: no policy is named");
    remark(
        lines,
        collectionStatistics.unknownResults(),
        "result",
        "left out: none of pass, fail, warn, error and skip");
    remark(
        lines,
        collectionStatistics.unknownSeverities(),
        "result",
        "kept as " + Severity.UNRATED + ": the severity is not a known one");
    remark(
        lines,
        collectionStatistics.malformed(),
        "result",
        "with a field of a wrong type, which was repaired or left out");
    remark(
        lines,
        collectionStatistics.cutMessages(),
        "message",
        "cut after " + count(ResultMessage.LIMIT) + " characters");
    return lines;
  }

  private static void remark(List<String> lines, long count, String noun, String what) {
    if (count > 0) {
      lines.add(counted(count, noun) + " " + what);
    }
  }
}
