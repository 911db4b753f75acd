package dev.policysync.survival;

import dev.policysync.harness.Agent;
import dev.policysync.harness.FakeInsights;
import dev.policysync.testcluster.Sandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Agents that can be told apart in the audit log and on the Lease: each is a ServiceAccount of its
/// own, after which its pod is named too.
final class IdentifiedAgents {
  private static final Sandbox.Rule EVERYTHING = new Sandbox.Rule("*", List.of("*"), List.of("*"));

  private final Sandbox sandbox;
  private final FakeInsights insights;
  private final Path folder;

  IdentifiedAgents(Sandbox sandbox, FakeInsights insights, Path folder) {
    this.sandbox = sandbox;
    this.insights = insights;
    this.folder = folder;
  }

  Agent named(String name) throws IOException {
    return new Agent(sandbox.cluster(), insights.environment(), folder.resolve(name))
        .as(sandbox.tokenOf(name, EVERYTHING))
        .with("POD_NAME", name)
        // They remove all day long.
        .with("MAX_REMOVALS", "1000");
  }
}
