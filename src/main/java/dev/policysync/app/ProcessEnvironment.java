package dev.policysync.app;

import dev.policysync.cli.Output;
import java.util.Map;

/// The environment variables and output streams of the process.
///
/// @param out receives results
/// @param err receives everything else
record ProcessEnvironment(Map<String, String> environment, Output out, Output err) {
  ProcessEnvironment {
    environment = Map.copyOf(environment);
  }

  /// Returns whether the user disabled colours (<https://no-color.org>).
  boolean noColour() {
    return !environment.getOrDefault("NO_COLOR", "").isEmpty();
  }
}
