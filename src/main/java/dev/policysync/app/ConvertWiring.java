package dev.policysync.app;

import dev.policysync.base.Value;
import dev.policysync.cli.ConvertCommand;
import dev.policysync.cli.ExitCode;
import dev.policysync.convert.verification.KyvernoProgram;
import dev.policysync.convert.verification.Verification;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.FeedProblem;
import dev.policysync.policy.feed.FilePolicySource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Wires `convert` to its files. The command needs no settings and no connection.
final class ConvertWiring {
  private ConvertWiring() {}

  static ExitCode launch(Launcher launcher) {
    var process = launcher.processEnvironment();
    var command = ConvertCommand.on(launcher.invocation(), process.out(), process.err());
    var problems = new ArrayList<>(command.problems());
    var verifier = Optional.<ConvertCommand.Verifier>empty();
    if (problems.isEmpty() && command.verifies()) {
      try {
        verifier = Optional.of(verifier(command, process.environment().getOrDefault("PATH", "")));
      } catch (IllegalArgumentException e) {
        problems.add(String.valueOf(e.getMessage()));
      } catch (FeedProblem e) {
        problems.add("--resources: " + e.reason());
      }
    }
    return problems.isEmpty()
        ? command.run(
            () -> read(command.files()),
            verifier.orElse((_, _) -> new Verification.Proof(0, List.of())))
        : command.refuse(problems);
  }

  private static ConvertCommand.Verifier verifier(ConvertCommand command, String path) {
    var kyverno = KyvernoProgram.requireKyverno(KyvernoProgram.find(command.kyverno(), path));
    var resources = new ArrayList<Value.Mapping>();
    command
        .resources()
        .ifPresent(from ->
            new FilePolicySource(from, () -> System.in)
                .read()
                .forEach(manifest -> resources.addAll(Verification.resources(manifest))));
    return new Verification(kyverno, resources)::verify;
  }

  private static List<Manifest> read(List<String> files) {
    var manifests = new ArrayList<Manifest>();
    for (var file : files) {
      manifests.addAll(new FilePolicySource(file, () -> System.in).read());
    }
    return manifests;
  }
}
