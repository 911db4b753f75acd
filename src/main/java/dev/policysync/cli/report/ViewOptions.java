package dev.policysync.cli.report;

import dev.policysync.cli.CommandOption;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.report.Findings;
import dev.policysync.report.view.Baseline;
import dev.policysync.report.view.Comparison;
import dev.policysync.report.view.FindingContext;
import dev.policysync.report.view.Owners;
import dev.policysync.report.view.ReportHeader;
import dev.policysync.report.view.UnreadableBaseline;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/// The options `--since` and `--owner-label`, which add facts to the findings.
record ViewOptions(Optional<Baseline> baseline, Optional<String> ownerLabel) {
  /// The key of a label, as Kubernetes defines it.
  private static final Pattern KEY =
      Pattern.compile(
          "([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

  /// Reads the options and the earlier report, before any call to a cluster.
  ///
  /// @param reportHeader the header of the report to be shown
  /// @throws InvalidSettings if an option is invalid, or the earlier report is unreadable or about
  ///   another cluster
  static ViewOptions of(Invocation.Run invocation, ReportHeader reportHeader) {
    var problems = new ArrayList<String>();
    for (var option : List.of(CommandOption.SINCE, CommandOption.OWNER_LABEL)) {
      if (invocation.has(option) && invocation.has(CommandOption.STORAGE)) {
        problems.add(option.flag() + " is for findings, not for --storage");
      }
    }
    var label = invocation.argument(CommandOption.OWNER_LABEL);
    if (label.isPresent() && !KEY.matcher(label.get()).matches()) {
      problems.add("--owner-label is not a label's key, such as team or acme.example/team");
    }
    var baseline = Optional.<Baseline>empty();
    if (problems.isEmpty()) {
      baseline =
          invocation
              .argument(CommandOption.SINCE)
              .flatMap(file -> baseline(file, reportHeader, problems));
    }
    if (!problems.isEmpty()) {
      throw new InvalidSettings(problems);
    }
    return new ViewOptions(baseline, label);
  }

  /// Returns the facts that the options add to these findings.
  ///
  /// @param owners returns the values of a label by namespace; empty if listing namespaces is
  ///   forbidden
  FindingContext context(
      Findings findings,
      ReportHeader reportHeader,
      Function<String, Optional<Map<String, String>>> owners) {
    return new FindingContext(
        reportHeader,
        baseline.map(earlier -> Comparison.of(earlier, findings)),
        ownerLabel.map(label -> {
          var values = owners.apply(label);
          return new Owners(label, values.orElse(Map.of()), values.isPresent());
        }));
  }

  private static Optional<Baseline> baseline(
      String file, ReportHeader reportHeader, List<String> problems) {
    try {
      var baseline = Baseline.read(Path.of(file));
      if (differ(baseline.cluster(), reportHeader.cluster())) {
        problems.add(
            "--since: "
                + file
                + " is about cluster "
                + baseline.cluster()
                + ", not about "
                + reportHeader.cluster());
      }
      return Optional.of(baseline);
    } catch (InvalidPathException _) {
      problems.add("--since is no path that this system can have");
    } catch (UnreadableBaseline e) {
      problems.add("--since: " + e.getMessage());
    }
    return Optional.empty();
  }

  /// Returns whether two names denote different clusters. A cluster without a name may be any
  /// cluster.
  private static boolean differ(String one, String other) {
    return !one.isEmpty() && !other.isEmpty() && !one.equals(other);
  }
}
