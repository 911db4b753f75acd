package dev.policysync.cli.lint;

import dev.policysync.cli.CommandOption;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.InternalErrorMessage;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Output;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.Terminal;
import dev.policysync.cli.TextStyle;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.Linter;
import dev.policysync.lint.rules.Catalogue;
import dev.policysync.policy.feed.FeedProblem;
import dev.policysync.policy.feed.ManifestTree;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.policy.feed.PolicySource;
import dev.policysync.policy.kyverno.KyvernoVersion;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.PatternSyntaxException;

/// `lint`: checks the policies of a source and prints the findings. The exit code is 0 if no
/// finding is as severe as `--fail-on`, 1 if one is, and 2 if the policies could not be checked.
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

  public static LintCommand on(
      Invocation.Run invocation, boolean noColour, Output out, Output err) {
    var textStyle = Terminal.onStdout() && !noColour ? TextStyle.COLOURED : TextStyle.PLAIN;
    return new LintCommand(invocation, textStyle, out, err);
  }

  /// Returns the errors in the command line; empty if the command can run.
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
      excluded();
    } catch (PatternSyntaxException e) {
      problems.add("--exclude has an invalid glob: " + e.getDescription());
    }
    return problems;
  }

  /// Lints all policies of the source.
  public ExitCode run(PolicySource source) {
    var excluded = excluded();
    return run(() ->
        new ManifestTree(
            source.read().stream()
                .filter(manifest -> !excluded.include(Path.of(manifest.name())))
                .toList(),
            List.of()));
  }

  /// Lints all policies of the files.
  public ExitCode runOnFiles(Supplier<InputStream> standardInput) {
    return run(() -> ManifestTree.read(files(), excluded()::include, standardInput));
  }

  private ExcludedPaths excluded() {
    return ExcludedPaths.of(invocation.argument(CommandOption.EXCLUDE).orElse(""));
  }

  private ExitCode run(Supplier<ManifestTree> source) {
    try {
      var tree = source.get();
      var manifests = tree.manifests();
      var written = PolicyReader.readLocated(manifests).withUnreadable(tree.unreadable());
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
    } catch (OutOfMemoryError _) {
      // The exit code of findings would hide that not all files were checked.
      return refuse(List.of(InternalErrorMessage.outOfMemory()));
    }
  }

  /// Prints why nothing was linted.
  public ExitCode refuse(List<String> problems) {
    err.println("policy-sync cannot lint:");
    problems.forEach(problem -> err.println("  - " + problem));
    err.println("Run 'policy-sync help lint' for usage.");
    err.flush();
    return ExitCode.USAGE;
  }

  /// The files, directories or `-` to read policies from; empty with `--from-insights`.
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
