package dev.policysync.cli.sync;

import dev.policysync.cli.TerminalText;
import dev.policysync.cli.TextStyle;
import dev.policysync.policy.Succession.Stage;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.PolicyConversion.Progress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// The conversions of legacy policies (group kyverno.io) as text: one line per policy, and below it
/// why it has no successor, or what the conversion waits for.
final class ConversionText {
  private static final int MOST = 5;
  private static final String INDENT = "      ";
  private static final String MORE = " more, see -o json";

  private final TextStyle textStyle;

  ConversionText(TextStyle textStyle) {
    this.textStyle = textStyle;
  }

  TerminalText write(List<PolicyConversion> conversions) {
    var width =
        conversions.stream().mapToInt(one -> one.policy().toString().length()).max().orElse(0);
    var text = new TerminalText().append(textStyle.bold(headline(conversions))).line();
    for (var conversion : conversions) {
      var policy = conversion.policy().toString();
      var padded = policy + " ".repeat(width - policy.length());
      text.append("  ");
      if (conversion.converted()) {
        text.append(textStyle.green("= " + padded))
            .append("  ")
            .append(becomes(conversion))
            .append("  ")
            .append(successors(conversion));
      } else {
        text.append(textStyle.yellow("! " + padded)).append("  no successor  not in force from ");
        text.append("Kyverno ").append(PolicyConversion.UNSUPPORTED_FROM).append(" on");
      }
      text.line();
      conversion
          .progress()
          .map(Progress::reason)
          .filter(reason -> !reason.isEmpty())
          .ifPresent(reason -> text.append(INDENT).append(textStyle.dim(reason)).line());
      refusals(conversion, text);
    }
    return text.line();
  }

  private static String headline(List<PolicyConversion> conversions) {
    var of = conversions.size();
    var converted = conversions.stream().filter(PolicyConversion::converted).count();
    return "Kyverno "
        + PolicyConversion.UNSUPPORTED_FROM
        + ": "
        + (of == 0
            ? "the feed has no policies of kyverno.io"
            : converted
                + " of "
                + of
                + (of == 1 ? " policy" : " policies")
                + " of kyverno.io "
                + (converted == 1 ? "has a successor" : "have a successor")
                + howFar(conversions));
  }

  private static String howFar(List<PolicyConversion> conversions) {
    if (conversions.stream().noneMatch(PolicyConversion::converted)) {
      return "";
    }
    if (conversions.stream().allMatch(conversion -> conversion.progress().isEmpty())) {
      return " (preview, nothing is converted)";
    }
    return Arrays.stream(Stage.values())
        .map(stage -> count(conversions, stage) + " " + stage)
        .filter(count -> !count.startsWith("0 "))
        .collect(Collectors.joining(", ", " (", ")"));
  }

  private static long count(List<PolicyConversion> conversions, Stage stage) {
    return conversions.stream()
        .filter(conversion -> conversion.progress().filter(at -> at.stage() == stage).isPresent())
        .count();
  }

  private static String becomes(PolicyConversion conversion) {
    return conversion
        .progress()
        .map(progress ->
            switch (progress.stage()) {
              case REHEARSAL -> "is rehearsed by";
              case SIDE_BY_SIDE -> "is in force beside";
              case REPLACEMENT -> "is replaced by";
            })
        .orElse("would become");
  }

  private static String successors(PolicyConversion conversion) {
    var names = conversion.successors();
    var more = names.size() - MOST;
    return names.stream()
            .limit(MOST)
            .map(successor -> successor.id().toString())
            .collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + MORE : "");
  }

  private void refusals(PolicyConversion conversion, TerminalText text) {
    var refusals = conversion.refusals();
    refusals.stream()
        .limit(MOST)
        .forEach(refusal -> text.append(INDENT).append(textStyle.dim(refusal.toString())).line());
    if (refusals.size() > MOST) {
      text.append(INDENT).append("and ").append(refusals.size() - MOST).line(MORE);
    }
  }
}
