package dev.policysync.report.view;

import java.time.Instant;

/// The header of every view: which cluster the reports are from, when they were read and by which
/// program.
///
/// @param cluster `acme/prod-1`; empty if the cluster has no name
/// @param program `policy-sync 0.1.0`
public record ReportHeader(String cluster, Instant at, String program) {}
