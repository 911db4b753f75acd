package dev.policysync;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Logs;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.lint.LintCommand;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.FilePolicySource;
import dev.policysync.settings.InvalidSettings;
import dev.policysync.settings.LogLevel;
import dev.policysync.settings.PinnedSettings;
import dev.policysync.settings.SettingsReader;
import dev.policysync.sync.RunId;
import dev.policysync.sync.execution.Cancellation;
import java.util.ArrayList;
import java.util.List;

/// Starts `lint`. What reads files needs no setting; what asks the API has those of a sync.
final class LintLauncher {
  private final ProcessEnvironment processEnvironment;

  LintLauncher(ProcessEnvironment processEnvironment) {
    this.processEnvironment = processEnvironment;
  }

  ExitCode run(Invocation.Run invocation) {
    var command =
        LintCommand.on(
            invocation,
            processEnvironment.noColour(),
            processEnvironment.out(),
            processEnvironment.err());
    var problems = command.problems();
    if (!problems.isEmpty()) {
      return command.refuse(problems);
    }
    if (!command.files().isEmpty()) {
      return command.run(() -> read(command.files()));
    }
    try {
      return ofApi(invocation, command);
    } catch (InvalidSettings e) {
      return command.refuse(e.problems());
    }
  }

  private static List<Manifest> read(List<String> files) {
    var manifests = new ArrayList<Manifest>();
    for (var file : files) {
      manifests.addAll(new FilePolicySource(file, () -> System.in).read());
    }
    return manifests;
  }

  private ExitCode ofApi(Invocation.Run invocation, LintCommand command) {
    var pinned = PinnedSettings.mounted();
    var settings =
        SettingsReader.read(invocation.flags(), processEnvironment.environment(), pinned);
    var id = RunId.random();
    Logs.configure(settings.logLevel().orElse(LogLevel.ERROR), OutputFormat.TEXT, id);
    var stop = new Cancellation(settings.timeout(), System::nanoTime);
    var connectionFactory =
        new ConnectionFactory(pinned.over(processEnvironment.environment()), stop, id);
    try (var policyEndpoints = PolicyEndpoints.of(settings, connectionFactory, stop)) {
      return command.run(policyEndpoints.source());
    }
  }
}
