package dev.policysync.cli.settings;

import dev.policysync.convert.ConvertMode;
import java.time.Duration;

/// How to handle policies that Kyverno 1.20 no longer executes.
///
/// @param rehearsal the minimum time that successors run in Audit beside a policy
public record ConversionSettings(ConvertMode mode, Duration rehearsal) {}
