package dev.policysync.cli.sync;

import dev.policysync.cli.TerminalText;
import dev.policysync.cli.TextStyle;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.analysis.WriteImpact;
import java.time.Duration;
import java.util.stream.Collectors;

/// The effect of a write on requests as text, shown below its policy in a diff.
final class ImpactText {
  private static final String INDENT = "      ";

  private final TextStyle textStyle;

  ImpactText(TextStyle textStyle) {
    this.textStyle = textStyle;
  }

  TerminalText write(WriteImpact writeImpact) {
    var text = new TerminalText();
    for (var impactReason : writeImpact.impact().reasons()) {
      var line = impactReason.direction() + ": " + impactReason;
      text.append(INDENT)
          .append(
              impactReason.direction().mayTighten()
                  ? textStyle.yellow(line)
                  : textStyle.plain(line))
          .line();
    }
    writeImpact
        .figures()
        .ifPresent(figures -> text.append(INDENT).append(figures).line(age(writeImpact)));
    writeImpact.failing().ifPresent(violations -> names(violations, text));
    return text;
  }

  private static String age(WriteImpact writeImpact) {
    return writeImpact.age().map(age -> " (newest result " + words(age) + " ago)").orElse("");
  }

  private static void names(ViolationSource.Violations violations, TerminalText text) {
    if (violations.names().isEmpty()) {
      return;
    }
    var more = violations.workloads() - violations.names().size();
    text.append(INDENT)
        .append("  ")
        .append(violations.names().stream().collect(Collectors.joining(", ")))
        .line(more > 0 ? " and " + more + " more" : "");
  }

  /// Formats an age in the largest unit that fits: `4 min`.
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
