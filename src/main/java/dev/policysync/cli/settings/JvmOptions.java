package dev.policysync.cli.settings;

import java.util.List;

/// Options that Java reads from the environment in addition to its command line: an agent library,
/// a debugger's port, another trust store.
///
/// In a pod they are refused unless ALLOW_JVM_OPTIONS permits them. A Job on demand may have any
/// environment variable, such as a Job of the remote API's job runner, and must not run code with
/// our permissions. Java has applied the options before this check, so this is one of three guards:
/// the image has no shell, no second jar and no debugger that the options could start, and nothing
/// is sent before this check.
final class JvmOptions {
  static final List<String> VARIABLES =
      List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS");

  private JvmOptions() {}

  static void check(RawSettings rawSettings) {
    var allowed = rawSettings.flag(Setting.ALLOW_JVM_OPTIONS);
    var inPod = !rawSettings.variable("KUBERNETES_SERVICE_HOST").isBlank();
    if (allowed || !inPod) {
      return;
    }
    for (var variable : VARIABLES) {
      if (!rawSettings.variable(variable).isBlank()) {
        rawSettings.problem(
            variable
                + " changes the options of Java, which is not allowed in a pod; set"
                + " ALLOW_JVM_OPTIONS=true to allow it");
      }
    }
  }
}
