package dev.policysync.cli.lint;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Printable;
import dev.policysync.cli.Documentation;
import dev.policysync.cli.TerminalText;
import dev.policysync.cli.TextStyle;
import dev.policysync.lint.LintFinding;
import dev.policysync.lint.LintResult;
import dev.policysync.lint.LintSeverity;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Position;
import dev.policysync.policy.feed.SkippedDocument;
import dev.policysync.policy.feed.SkippedDocument.What;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The lint findings as text: each with its line, a caret below it, the fix, and the page to read.
public final class LintText {
  private static final int WIDEST = 120;
  private static final int SHOWN_KINDS = 3;

  private final Map<String, List<String>> lines = new HashMap<>();
  private final Map<String, Manifest> manifests = new HashMap<>();
  private final TextStyle textStyle;
  private final TerminalText text = new TerminalText();

  private LintText(List<Manifest> manifests, TextStyle textStyle) {
    manifests.forEach(manifest -> this.manifests.put(manifest.name(), manifest));
    this.textStyle = textStyle;
  }

  /// Returns the findings with the lines that they refer to.
  ///
  /// @param manifests the linted manifests, which the lines are taken from
  public static TerminalText write(
      LintResult lintResult, List<Manifest> manifests, TextStyle textStyle) {
    var writer = new LintText(manifests, textStyle);
    lintResult.findings().forEach(writer::add);
    lintResult.suppressed().forEach(writer::add);
    return writer.text;
  }

  /// Returns the totals: `2 errors, 1 warning, 3 notes in 12 policies`.
  static TerminalText count(LintResult lintResult, int policies) {
    var text = new TerminalText();
    text.line(
        count(lintResult.count(LintSeverity.ERROR), "error")
            + ", "
            + count(lintResult.count(LintSeverity.WARNING), "warning")
            + ", "
            + count(lintResult.count(LintSeverity.NOTE), "note")
            + (lintResult.suppressed().isEmpty()
                ? ""
                : ", " + lintResult.suppressed().size() + " suppressed")
            + " in "
            + (policies == 1 ? "1 policy" : policies + " policies"));
    var skipped = skipped(lintResult.skipped());
    return skipped.isEmpty() ? text : text.line(skipped);
  }

  private static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  private void add(LintFinding lintFinding) {
    text.append(
            coloured(
                lintFinding.lintSeverity(),
                lintFinding.lintSeverity().text() + "[" + lintFinding.hazard().id() + "]"))
        .append(" ")
        .append(textStyle.bold(lintFinding.policy()))
        .append(": ")
        .line(lintFinding.message());
    var position = lintFinding.position();
    var path = lintFinding.path().isEmpty() ? "" : "  " + lintFinding.path();
    text.append(textStyle.dim("   --> "))
        .append(position.source() + ":" + position.line() + ":" + position.column())
        .append(textStyle.dim(path))
        .line();
    lineAt(position)
        .ifPresent(shown -> {
          var number = Integer.toString(position.line());
          text.append(textStyle.dim(" ".repeat(Math.max(0, 5 - number.length())) + number + " | "))
              .line(shown.text());
          text.append(textStyle.dim("      | "))
              .append(coloured(lintFinding.lintSeverity(), shown.caret()))
              .line();
        });
    text.append(textStyle.dim("   fix: ")).line(lintFinding.fix());
    text.append(textStyle.dim("   see: ")).line(Documentation.url(lintFinding.hazard().page()));
    text.line();
  }

  private void add(LintResult.Suppressed suppressed) {
    var lintFinding = suppressed.lintFinding();
    text.append(
            textStyle.dim(
                "suppressed["
                    + lintFinding.hazard().id()
                    + "] "
                    + lintFinding.policy()
                    + ": "
                    + lintFinding.hazard().title()
                    + " ("
                    + suppressed.reason()
                    + ")"))
        .line();
  }

  private TextStyle.Painted coloured(LintSeverity lintSeverity, String what) {
    return switch (lintSeverity) {
      case ERROR -> textStyle.red(what);
      case WARNING -> textStyle.yellow(what);
      case NOTE -> textStyle.bold(what);
    };
  }

  /// A source line and a line that marks a column of it.
  ///
  /// @param text printable, truncated to 120 characters
  /// @param caret spaces and a `^`
  private record Line(String text, String caret) {}

  /// Returns the line at `position`. Empty if the manifest has no such line or column, as in
  /// UTF-16, or if the column is beyond the truncated line.
  private Optional<Line> lineAt(Position position) {
    var all = lines.computeIfAbsent(position.source(), this::linesOf);
    if (position.line() > all.size()) {
      return Optional.empty();
    }
    var line = all.get(position.line() - 1).replace('\t', ' ');
    var before = position.column() - 1;
    if (before > WIDEST || before > line.codePointCount(0, line.length())) {
      return Optional.empty();
    }
    var shownBefore = Printable.line(line.substring(0, line.offsetByCodePoints(0, before)));
    var shown = line.length() <= WIDEST ? line : line.substring(0, WIDEST) + "…";
    var caret = " ".repeat(shownBefore.codePointCount(0, shownBefore.length())) + "^";
    return Optional.of(new Line(Printable.line(shown), caret));
  }

  private List<String> linesOf(String source) {
    var manifest = manifests.get(source);
    if (manifest == null) {
      return List.of();
    }
    return new String(manifest.bytes(), UTF_8).lines().toList();
  }

  /// Returns a line about the documents that are not policies, and how to render those that contain
  /// policies: `skipped, as no policies: of other kinds 4 (Deployment), …`. Empty if nothing was
  /// skipped.
  private static String skipped(List<SkippedDocument> skipped) {
    if (skipped.isEmpty()) {
      return "";
    }
    return Stream.of(
            What.OTHER_KIND,
            What.NO_OBJECT,
            What.HELM_TEMPLATE,
            What.KUSTOMIZATION,
            What.TEST,
            What.KUSTOMIZE_PATCH)
        .flatMap(what -> count(what, skipped).stream())
        .collect(Collectors.joining(", ", "skipped, as no policies: ", ""));
  }

  private static Optional<String> count(What what, List<SkippedDocument> skipped) {
    var count = skipped.stream().filter(document -> document.what() == what).count();
    return count == 0
        ? Optional.empty()
        : Optional.of(
            switch (what) {
              case OTHER_KIND -> "of other kinds " + count + kinds(skipped);
              case NO_OBJECT -> "without apiVersion and kind " + count;
              case HELM_TEMPLATE ->
                  "Helm templates " + count + " (helm template CHART | policy-sync lint -)";
              case KUSTOMIZATION ->
                  "kustomizations " + count + " (kustomize build DIR | policy-sync lint -)";
              case TEST -> "parts of tests " + count;
              case KUSTOMIZE_PATCH -> "kustomize patches " + count;
            });
  }

  private static String kinds(List<SkippedDocument> skipped) {
    Map<String, Long> counts =
        skipped.stream()
            .filter(document -> document.what() == What.OTHER_KIND)
            .map(SkippedDocument::kind)
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    var most =
        counts.entrySet().stream()
            .sorted(
                Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(SHOWN_KINDS)
            .map(Map.Entry::getKey)
            .collect(Collectors.joining(", "));
    return " (" + most + (counts.size() > SHOWN_KINDS ? ", …" : "") + ")";
  }
}
