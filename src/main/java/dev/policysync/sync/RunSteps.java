package dev.policysync.sync;

import dev.policysync.plan.Planner;
import dev.policysync.plan.PolicyDecider;
import dev.policysync.policy.feed.FeedReader;
import dev.policysync.sync.analysis.DependencyResolver;
import dev.policysync.sync.analysis.IdenticalWrites;
import dev.policysync.sync.analysis.ImpactAnalyzer;
import dev.policysync.sync.analysis.InForceCheck;
import dev.policysync.sync.analysis.LintCache;
import dev.policysync.sync.analysis.PolicyConverter;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.Execution;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.succession.ClusterConversions;
import dev.policysync.sync.succession.Conversions;
import dev.policysync.sync.succession.Rehearsals;
import dev.policysync.sync.succession.SuccessionPlanner;
import dev.policysync.sync.succession.WayBack;
import java.time.Clock;
import java.util.Optional;

/// The classes for the steps of one run, wired together. What they find out is valid for the whole
/// run.
///
/// @param writeDiffs records what each write would change, if that is requested
/// @param successionPlanner replaces policies by their successors, with `CONVERT=apply`
record RunSteps(
    InSyncCheck inSyncCheck,
    InForceCheck inForceCheck,
    PlanBuilder planBuilder,
    StatusRecorder statusRecorder,
    Execution execution,
    Optional<WriteDiffs> writeDiffs,
    RunFinisher runFinisher,
    FeedReader feedReader,
    Optional<SuccessionPlanner> successionPlanner,
    ConversionPreview conversionPreview) {

  static RunSteps of(
      SyncPorts ports, SyncOptions options, Cancellation stop, Clock clock, Progress progress) {
    var rules = options.plannerOptions();
    var store = ports.store();
    var writeDiffs =
        options.differences() ? Optional.of(new WriteDiffs(store)) : Optional.<WriteDiffs>empty();
    PolicyStore writing = writeDiffs.isPresent() ? writeDiffs.get() : store;
    var planner = new Planner(rules);
    var impactAnalyzer =
        new ImpactAnalyzer(
            writing, ports.violations(), rules.enforcing(), stop, clock, options.concurrency());
    var statusRecorder =
        new StatusRecorder(ports.runState(), ports.statuses(), rules.source(), clock, progress);
    var inForceCheck =
        new InForceCheck(ports.execution(), rules.source(), clock, options.concurrency());
    return new RunSteps(
        new InSyncCheck(store, planner, options, ports.conversions(), stop, clock),
        inForceCheck,
        new PlanBuilder(
            planner,
            rules.approvedFeed(),
            new IdenticalWrites(store, stop, options.concurrency()),
            statusRecorder,
            new LintCache(ports.linter()),
            impactAnalyzer,
            rules.enforcing(),
            new DependencyResolver(store, impactAnalyzer, stop, options.concurrency()),
            inForceCheck,
            new WayBack(ports.execution()),
            clock),
        statusRecorder,
        new Execution(
            writing,
            new PolicyDecider(rules),
            options.writeMode(),
            options.concurrency(),
            impactAnalyzer,
            ports.runState()::use,
            progress),
        writeDiffs,
        new RunFinisher(statusRecorder, ports.runState()),
        new FeedReader(options.namespace()),
        successionPlanner(ports, options, clock),
        new ConversionPreview(
            ports.conversions().previewing().map(it -> clusterConversions(it, ports, options)),
            stop,
            progress));
  }

  private static Optional<SuccessionPlanner> successionPlanner(
      SyncPorts ports, SyncOptions options, Clock clock) {
    return ports.conversions()
            instanceof Conversions.Apply(var policyConverter, var rehearsalSource, var length)
        ? Optional.of(
            new SuccessionPlanner(
                clusterConversions(policyConverter, ports, options),
                new Rehearsals(
                    ports.store(),
                    rehearsalSource,
                    ports.execution(),
                    length,
                    clock,
                    options.concurrency()),
                options.plannerOptions().source()))
        : Optional.empty();
  }

  private static ClusterConversions clusterConversions(
      PolicyConverter policyConverter, SyncPorts ports, SyncOptions options) {
    return new ClusterConversions(
        policyConverter, ports.store(), options.plannerOptions().source());
  }
}
