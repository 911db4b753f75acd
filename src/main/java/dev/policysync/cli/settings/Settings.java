package dev.policysync.cli.settings;

import dev.policysync.lint.LintMode;
import dev.policysync.plan.Adoption;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ApprovedFeed;
import dev.policysync.sync.execution.WriteMode;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// The settings of a run, all of them valid.
///
/// @param source the name with which applied policies are annotated
/// @param api the remote API; empty if `from` takes its place
/// @param from a file, a directory or `-`, read in place of the API
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

  /// What a run may do with policies.
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

  /// How much a run does at a time, and how long it may take.
  public record Limits(
      int concurrency, Duration lockWait, Duration timeout, Duration startJitter) {}

  /// How the cluster is reached, and as whom.
  ///
  /// @param namespace of the Lease, if it is not the agent's own
  /// @param kubeconfig one path or several, as in `KUBECONFIG`
  /// @param impersonate the user whom the kubeconfig's user acts as
  public record Cluster(
      Optional<String> namespace,
      Optional<String> podName,
      Optional<String> kubeconfig,
      Optional<String> context,
      Optional<String> impersonate) {}

  /// What a run says of itself.
  ///
  /// @param logLevel empty if the output format decides
  /// @param summaryFile where a sync also writes its whole summary
  public record Output(Optional<LogLevel> logLevel, Optional<String> summaryFile) {}

  /// What only `report` needs.
  ///
  /// @param file where the report is written, in place of the API
  /// @param tellFailures whether to tell the API when there is no report
  /// @param errors whether to send results that are errors to the API, too
  /// @param chartVersion the version of the chart that installed the agent, or empty
  public record Reporting(
      Optional<String> file, boolean tellFailures, boolean errors, String chartVersion) {}

  /// Returns these settings for a dry run.
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
