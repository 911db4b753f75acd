package dev.policysync;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.LintCommand;
import dev.policysync.cli.Logs;
import dev.policysync.cli.OutputFormat;
import dev.policysync.policy.FilePolicySource;
import dev.policysync.policy.Manifest;
import dev.policysync.settings.LogLevel;
import dev.policysync.settings.PinnedSettings;
import dev.policysync.settings.SettingsReader;
import dev.policysync.settings.WrongSettings;
import dev.policysync.sync.RunId;
import dev.policysync.sync.StopSign;
import java.util.ArrayList;
import java.util.List;

/// Starts `lint`. What reads files needs no setting; what asks the API has those of a sync.
final class LintStart {
  private final Host host;

  LintStart(Host host) {
    this.host = host;
  }

  ExitCode run(Invocation.Run invocation) {
    var command = LintCommand.on(invocation, host.noColour(), host.out(), host.err());
    var problems = command.problems();
    if (!problems.isEmpty()) {
      return command.refuse(problems);
    }
    if (!command.files().isEmpty()) {
      return command.run(() -> read(command.files()));
    }
    try {
      return ofApi(invocation, command);
    } catch (WrongSettings e) {
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
    var settings = SettingsReader.read(invocation.flags(), host.environment(), pinned);
    var id = RunId.random();
    Logs.configure(settings.logLevel().orElse(LogLevel.ERROR), OutputFormat.TEXT, id);
    var stop = new StopSign(settings.timeout(), System::nanoTime);
    var links = new Links(pinned.over(host.environment()), stop, id);
    try (var remote = Remote.of(settings, links, stop)) {
      return command.run(remote.source());
    }
  }
}
