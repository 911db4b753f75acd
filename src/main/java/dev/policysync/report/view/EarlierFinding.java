package dev.policysync.report.view;

import dev.policysync.base.Value;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/// A finding in the JSON of an earlier report (`docs/report-views.md`). Missing fields are empty.
///
/// @param firstSeen when the finding was first seen; if the earlier report lacks this field, when
///   the resource was last evaluated
record EarlierFinding(
    String severity,
    String result,
    String policy,
    String source,
    String title,
    String rule,
    String kind,
    String namespace,
    String name,
    String uid,
    String message,
    Optional<Instant> firstSeen) {
  static EarlierFinding of(Value.Mapping finding) {
    return new EarlierFinding(
        text(finding, "severity"),
        text(finding, "result"),
        text(finding, "policy"),
        text(finding, "source"),
        text(finding, "title"),
        text(finding, "rule"),
        text(finding, "kind"),
        text(finding, "namespace"),
        text(finding, "name"),
        text(finding, "uid"),
        text(finding, "message"),
        time(finding, "firstSeen").or(() -> time(finding, "seen")));
  }

  private static String text(Value.Mapping finding, String field) {
    return finding.text(field).orElse("");
  }

  static Optional<Instant> time(Value.Mapping object, String field) {
    return object
        .text(field)
        .flatMap(text -> {
          try {
            return Optional.of(Instant.parse(text));
          } catch (DateTimeException _) {
            return Optional.empty();
          }
        });
  }
}
