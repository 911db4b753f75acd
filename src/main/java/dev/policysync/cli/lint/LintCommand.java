package dev.policysync.cli.lint;

import dev.policysync.cli.CommandOption;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Output;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.Terminal;
import dev.policysync.cli.TextStyle;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.Linter;
import dev.policysync.lint.rules.Catalogue;
import dev.policysync.policy.feed.FeedProblem;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.policy.feed.PolicySource;
import dev.policysync.policy.kyverno.KyvernoVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;

/// `lint`: judges what a source has and prints what it finds. Exit code 0 if there is nothing to
/// fail on, 1 if there is, 2 if it could not be judged.
public final class LintCommand {
  private final Invocation.Run invocation;
  private final OutputFormat format;
  private final TextStyle textStyle;
  private final Output out;
  private final Output err;

  private LintCommand(Invocation.Run invocation, TextStyle textStyle, Output out, Output err) {
    this.invocation = invocation;
    this.format = invocation.output().orElse(OutputFormat.TEXT);
    this.textStyle = textStyle;
    this.out = out;
    this.err = err;
  }

  /// The command as these streams ask for it.
  public static LintCommand on(
      Invocation.Run invocation, boolean noColour, Output out, Output err) {
    var textStyle = Terminal.onStdout() && !noColour ? TextStyle.COLOURED : TextStyle.PLAIN;
    return new LintCommand(invocation, textStyle, out, err);
  }

  /// What is wrong with the command line; none if it can be run.
  public List<String> problems() {
    var problems = new ArrayList<String>();
    var files = !invocation.operands().isEmpty();
    var fromApi = invocation.has(CommandOption.FROM_INSIGHTS);
    if (files == fromApi) {
      problems.add(
          files
              ? "lint accepts either files or --from-insights, not both"
              : "no input: specify files or a directory, - for standard input, or --from-insights");
    }
    if (failOn().isEmpty()) {
      problems.add("--fail-on must be error or warning");
    }
    if (invocation.has(CommandOption.KYVERNO_VERSION) && version().isEmpty()) {
      problems.add("--kyverno-version must be a release of Kyverno, e.g. 1.18.2");
    }
    try {
      ExcludedPaths.of(invocation.argument(CommandOption.EXCLUDE).orElse(""));
    } catch (PatternSyntaxException e) {
      problems.add("--exclude has an invalid glob: " + e.getDescription());
    }
    return problems;
  }

  /// Judges all that the source has.
  public ExitCode run(PolicySource source) {
    try {
      var excluded = ExcludedPaths.of(invocation.argument(CommandOption.EXCLUDE).orElse(""));
      var manifests =
          source.read().stream().filter(manifest -> !excluded.include(manifest)).toList();
      var written = PolicyReader.readLocated(manifests);
      var lintResult = new Linter(Catalogue.rules(), version()).judge(written);
      switch (format) {
        case JSON -> out.document(LintJson.write(lintResult, written.policies().size()) + "\n");
        case SARIF -> out.document(LintSarif.write(lintResult, Catalogue.hazards()) + "\n");
        default -> {
          out.print(LintText.write(lintResult, manifests, textStyle));
          out.print(LintText.count(lintResult, written.policies().size()));
        }
      }
      out.flush();
      return lintResult.failsOn(failOn().orElse(LintSeverity.ERROR))
          ? ExitCode.FAILED
          : ExitCode.OK;
    } catch (FeedProblem e) {
      return refuse(List.of(e.reason()));
    }
  }

  /// Says why nothing was judged.
  public ExitCode refuse(List<String> problems) {
    err.println("policy-sync cannot lint:");
    problems.forEach(problem -> err.println("  - " + problem));
    err.println("Run 'policy-sync help lint' for usage.");
    err.flush();
    return ExitCode.USAGE;
  }

  /// Where the policies come from, if not from the API.
  public List<String> files() {
    return invocation.operands();
  }

  private Optional<LintSeverity> failOn() {
    return switch (invocation.argument(CommandOption.FAIL_ON).orElse("error")) {
      case "error" -> Optional.of(LintSeverity.ERROR);
      case "warning" -> Optional.of(LintSeverity.WARNING);
      default -> Optional.empty();
    };
  }

  private Optional<KyvernoVersion> version() {
    return invocation.argument(CommandOption.KYVERNO_VERSION).flatMap(KyvernoVersion::parse);
  }
}
