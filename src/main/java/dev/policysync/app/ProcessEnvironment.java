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

  /// Returns whether the process runs in a pod. The kubelet sets this variable in each container.
  boolean inPod() {
    return !environment.getOrDefault("KUBERNETES_SERVICE_HOST", "").isBlank();
  }

  /// Returns whether the user disabled colours (<https://no-color.org>).
  boolean noColour() {
    return !environment.getOrDefault("NO_COLOR", "").isEmpty();
  }
}
