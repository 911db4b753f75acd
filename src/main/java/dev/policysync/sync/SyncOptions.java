package dev.policysync.sync;

import dev.policysync.plan.PlannerOptions;
import dev.policysync.sync.execution.WriteMode;
import java.time.Duration;

/// What a run is asked for.
///
/// @param writeMode whether writes are meant
/// @param differences whether to find out field by field what each write changes
/// @param concurrency how many policies are written at the same time
/// @param lockWait how long to wait for whoever has the Lease
/// @param agent which version of the agent this is: what another one found to agree is compared
///   again
public record SyncOptions(
    PlannerOptions plannerOptions,
    WriteMode writeMode,
    boolean differences,
    int concurrency,
    Duration lockWait,
    String agent) {}
