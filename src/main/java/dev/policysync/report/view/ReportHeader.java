package dev.policysync.report.view;

import java.time.Instant;

/// Where and when reports were read, and by what: the head of every view.
///
/// @param cluster `acme/prod-1`; empty where nobody has named it
/// @param program `policy-sync 0.1.0`
public record ReportHeader(String cluster, Instant at, String program) {}
