package dev.policysync.app;

import dev.policysync.cli.Output;
import java.util.Map;

/// What the process was started with.
///
/// @param environment the variables
/// @param out where results go
/// @param err where everything else goes
record ProcessEnvironment(Map<String, String> environment, Output out, Output err) {
  ProcessEnvironment {
    environment = Map.copyOf(environment);
  }

  /// Whether the user wants no colours (<https://no-color.org>).
  boolean noColour() {
    return !environment.getOrDefault("NO_COLOR", "").isEmpty();
  }
}
