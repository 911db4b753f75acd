package dev.policysync.sync;

import dev.policysync.plan.PlannerOptions;
import dev.policysync.sync.execution.WriteMode;
import java.time.Duration;
import java.util.Optional;

/// The settings of a run.
///
/// @param writeMode whether writes are real or a dry run
/// @param differences whether to find out field by field what each write changes
/// @param concurrency how many policies are written at the same time
/// @param lockWait how long to wait for the holder of the Lease
/// @param agent the version of this agent; if another version recorded that feed and cluster are in
///   sync, they are compared again
/// @param namespace the agent's namespace, which namespaced policies get that name none; empty if
///   it is not certain
public record SyncOptions(
    PlannerOptions plannerOptions,
    WriteMode writeMode,
    boolean differences,
    int concurrency,
    Duration lockWait,
    String agent,
    Optional<String> namespace) {}
