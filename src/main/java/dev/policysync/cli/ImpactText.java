package dev.policysync.cli;

import dev.policysync.sync.FailingNow;
import dev.policysync.sync.Foreseen;
import java.time.Duration;
import java.util.stream.Collectors;

/// What a write does to requests, for people: below its policy in a diff.
final class ImpactText {
  private static final String INDENT = "      ";

  private final Style style;

  ImpactText(Style style) {
    this.style = style;
  }

  String write(Foreseen foreseen) {
    var text = new StringBuilder();
    for (var reason : foreseen.impact().reasons()) {
      var line = reason.direction() + ": " + reason;
      text.append(INDENT)
          .append(reason.direction().mayTighten() ? style.yellow(line) : line)
          .append('\n');
    }
    foreseen
        .figures()
        .ifPresent(
            figures -> text.append(INDENT).append(figures).append(age(foreseen)).append('\n'));
    foreseen.failing().ifPresent(failing -> names(failing, text));
    return text.toString();
  }

  private static String age(Foreseen foreseen) {
    return foreseen.age().map(age -> " (newest result " + words(age) + " ago)").orElse("");
  }

  private static void names(FailingNow.Failing failing, StringBuilder text) {
    if (failing.names().isEmpty()) {
      return;
    }
    var more = failing.workloads() - failing.names().size();
    text.append(INDENT)
        .append("  ")
        .append(failing.names().stream().collect(Collectors.joining(", ")))
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
