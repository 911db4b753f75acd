package dev.policysync.cli.settings;

import dev.policysync.convert.ConvertMode;
import java.time.Duration;

/// What to do about policies that Kyverno 1.20 no longer executes.
///
/// @param rehearsal for how long successors stand beside a policy, at least
public record ConversionSettings(ConvertMode mode, Duration rehearsal) {}
