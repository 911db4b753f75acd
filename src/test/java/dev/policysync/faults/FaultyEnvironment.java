package dev.policysync.faults;

import dev.policysync.base.Value;
import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Agent;
import dev.policysync.harness.TestAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// The built agent, the API server and the remote API, with a proxy before each of the two.
abstract class FaultyEnvironment extends EndToEnd {
  /// What a process may take beyond its TIMEOUT: its start on a machine that has other things to
  /// do, and what it says at its end.
  static final Duration GRACE = Duration.ofSeconds(8);

  FaultProxy beforeApi;
  FaultProxy beforeCluster;

  @BeforeEach
  void standBetween() throws IOException {
    beforeApi = FaultProxy.before(insights.url());
    beforeCluster = FaultProxy.before(cluster);
    Files.write(
        serviceAccount().resolve("ca.crt"),
        Files.readAllBytes(TestAuthority.shared().pem()),
        StandardOpenOption.APPEND);
    agent
        .with("FAIRWINDS_INSIGHTS_HOST", "http://127.0.0.1:" + beforeApi.port())
        .with("KUBERNETES_SERVICE_PORT", Integer.toString(beforeCluster.port()));
  }

  @AfterEach
  void stepAside() {
    beforeApi.close();
    beforeCluster.close();
  }

  /// Gives the agent another token at once, as the kubelet does.
  void rotateTo(String token) {
    var file = serviceAccount().resolve("token");
    try {
      var fresh = Files.writeString(file.resolveSibling("..token"), token);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("the token cannot be replaced", e);
    }
  }

  /// Where the agent's token is.
  Path serviceAccount() {
    return folder.resolve("pod").resolve("serviceaccount");
  }

  /// The reasons of all errors of a run.
  static List<String> reasons(Agent.Run run) {
    return run.summary().items("errors").stream()
        .map(error -> error instanceof Value.Mapping m ? m.text("reason").orElse("") : "")
        .toList();
  }
}
