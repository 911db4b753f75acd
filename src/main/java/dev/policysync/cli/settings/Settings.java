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

/// What a run was asked for, all of it valid.
///
/// @param api the remote API; none where `from` takes its place
/// @param from a file, a directory or `-`, read in place of the API
/// @param source what applied policies are marked with
/// @param excludedKinds kinds that are none of this agent's business
/// @param approvedFeed the feed that a person consented to, if any
/// @param logLevel as set; empty where the output format decides
/// @param namespace of the Lease, if it is not the agent's own
/// @param kubeconfig one path or several, as in `KUBECONFIG`
/// @param summaryFile where a sync also writes its whole summary
/// @param impersonate the user whom the kubeconfig's user acts as
public record Settings(
    Optional<ApiSettings> api,
    Optional<String> from,
    SourceName source,
    WriteMode writeMode,
    Optional<LogLevel> logLevel,
    RemovalBudget maxRemovals,
    Adoption adoption,
    Set<PolicyKind> excludedKinds,
    Optional<ApprovedFeed> approvedFeed,
    LintMode lint,
    EnforceGuard enforcing,
    ConversionSettings conversion,
    int concurrency,
    Duration lockWait,
    Duration timeout,
    Duration startJitter,
    Optional<String> namespace,
    Optional<String> podName,
    Optional<String> kubeconfig,
    Optional<String> context,
    Optional<String> impersonate,
    MetricsSettings metrics,
    Optional<String> summaryFile,
    Reporting reporting) {

  /// What only `report` needs.
  ///
  /// @param file where the report is written to, in place of the API
  /// @param tellFailures whether the API is told when there is no report
  /// @param errors whether the API is also sent results that are errors
  /// @param chartVersion of the chart that installed this, or empty
  public record Reporting(
      Optional<String> file, boolean tellFailures, boolean errors, String chartVersion) {}

  /// The same, but nothing is to be written.
  public Settings dryRun() {
    return new Settings(
        api,
        from,
        source,
        WriteMode.DRY_RUN,
        logLevel,
        maxRemovals,
        adoption,
        excludedKinds,
        approvedFeed,
        lint,
        enforcing,
        conversion,
        concurrency,
        lockWait,
        timeout,
        startJitter,
        namespace,
        podName,
        kubeconfig,
        context,
        impersonate,
        metrics,
        summaryFile,
        reporting);
  }
}
