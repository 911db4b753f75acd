package dev.policysync.cli.sync;

import dev.policysync.cli.TextStyle;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.analysis.WriteImpact;
import java.time.Duration;
import java.util.stream.Collectors;

/// What a write does to requests, for people: below its policy in a diff.
final class ImpactText {
  private static final String INDENT = "      ";

  private final TextStyle textStyle;

  ImpactText(TextStyle textStyle) {
    this.textStyle = textStyle;
  }

  String write(WriteImpact writeImpact) {
    var text = new StringBuilder();
    for (var impactReason : writeImpact.impact().reasons()) {
      var line = impactReason.direction() + ": " + impactReason;
      text.append(INDENT)
          .append(impactReason.direction().mayTighten() ? textStyle.yellow(line) : line)
          .append('\n');
    }
    writeImpact
        .figures()
        .ifPresent(
            figures -> text.append(INDENT).append(figures).append(age(writeImpact)).append('\n'));
    writeImpact.failing().ifPresent(violations -> names(violations, text));
    return text.toString();
  }

  private static String age(WriteImpact writeImpact) {
    return writeImpact.age().map(age -> " (newest result " + words(age) + " ago)").orElse("");
  }

  private static void names(ViolationSource.Violations violations, StringBuilder text) {
    if (violations.names().isEmpty()) {
      return;
    }
    var more = violations.workloads() - violations.names().size();
    text.append(INDENT)
        .append("  ")
        .append(violations.names().stream().collect(Collectors.joining(", ")))
        .append(more > 0 ? " and " + more + " more" : "")
        .append('\n');
  }

  /// `4 min`: the largest unit that fits.
  static String words(Duration age) {
    if (age.toDays() > 0) {
      return age.toDays() + " d";
    }
    if (age.toHours() > 0) {
      return age.toHours() + " h";
    }
    return age.toMinutes() > 0 ? age.toMinutes() + " min" : age.toSeconds() + " s";
  }
}
