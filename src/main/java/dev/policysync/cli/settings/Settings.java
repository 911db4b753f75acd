package dev.policysync.cli.settings;

import dev.policysync.lint.LintMode;
import dev.policysync.plan.Adoption;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ApprovedFeed;
import dev.policysync.report.UploadContent;
import dev.policysync.sync.execution.WriteMode;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// The valid settings of a run.
///
/// @param source the source name recorded on applied policies
/// @param api the settings of the remote API; empty if `from` replaces it
/// @param from a file, a directory or `-`, read instead of the API
public record Settings(
    SourceName source,
    Optional<ApiSettings> api,
    Optional<String> from,
    WriteMode writeMode,
    Output output,
    Guards guards,
    ConversionSettings conversion,
    Limits limits,
    Cluster cluster,
    MetricsSettings metrics,
    Reporting reporting) {

  /// Which policies a run may write, and how much.
  ///
  /// @param excludedKinds kinds that the agent neither lists, applies nor removes
  /// @param approvedFeed the feed that a person approved, if any
  public record Guards(
      RemovalBudget maxRemovals,
      Adoption adoption,
      Set<PolicyKind> excludedKinds,
      Optional<ApprovedFeed> approvedFeed,
      LintMode lint,
      EnforceGuard enforcing) {}

  /// The concurrency and the time limits of a run.
  public record Limits(
      int concurrency, Duration lockWait, Duration timeout, Duration startJitter) {}

  /// How the agent connects to the cluster.
  ///
  /// @param namespace the namespace of the Lease, if it is not the agent's own
  /// @param kubeconfig one path or several, as in `KUBECONFIG`
  /// @param impersonate the user to impersonate
  public record Cluster(
      Optional<String> namespace,
      Optional<String> podName,
      Optional<String> kubeconfig,
      Optional<String> context,
      Optional<String> impersonate) {}

  /// The log and the summary of a run.
  ///
  /// @param logLevel the log level; empty if the output format decides
  /// @param summaryFile the file to which a sync also writes its complete summary
  public record Output(Optional<LogLevel> logLevel, Optional<String> summaryFile) {}

  /// The settings that only `report` uses.
  ///
  /// @param file the file to which the report is written instead of the API
  /// @param tellFailures whether to tell the API when there is no report
  /// @param upload what to send of the reports
  /// @param chartVersion the version of the chart that installed the agent, or empty
  public record Reporting(
      Optional<String> file, boolean tellFailures, UploadContent upload, String chartVersion) {}

  public Settings dryRun() {
    return new Settings(
        source,
        api,
        from,
        WriteMode.DRY_RUN,
        output,
        guards,
        conversion,
        limits,
        cluster,
        metrics,
        reporting);
  }
}
