package dev.policysync.app;

import dev.policysync.app.Launcher.Start;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.lint.LintCommand;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.cli.settings.Settings;
import dev.policysync.cli.settings.SettingsReader;

/// Wires `lint` to its source. Linting files needs no settings and no connection. Linting the
/// policies of the API needs the settings of a sync.
final class LintWiring {
  private LintWiring() {}

  static ExitCode launch(Launcher launcher) {
    var process = launcher.processEnvironment();
    var command =
        LintCommand.on(launcher.invocation(), process.noColour(), process.out(), process.err());
    var problems = command.problems();
    if (!problems.isEmpty()) {
      return command.refuse(problems);
    }
    if (!command.files().isEmpty()) {
      return command.runOnFiles(() -> System.in);
    }
    try {
      return launcher.runUnwatched(pinned -> {
        var settings = launcher.read(SettingsReader::read, pinned);
        return Start.of(
            settings, OutputFormat.TEXT, run -> lintApiPolicies(command, settings, run));
      });
    } catch (InvalidSettings e) {
      return command.refuse(e.problems());
    }
  }

  private static ExitCode lintApiPolicies(
      LintCommand command, Settings settings, Launcher.Run run) {
    try (var policyEndpoints = PolicyEndpoints.of(settings, run.connectionFactory(), run.stop())) {
      return command.run(policyEndpoints.source());
    }
  }
}
