package dev.policysync.realkyverno;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What Kyverno's webhooks refuse fails alone, with their words, and the preview has said so
/// before.
class RefusedPoliciesIT extends WithKyverno {
  private static final Path POLICIES = Path.of("src", "test", "resources", "refused");

  /// Each file's first line is what Kyverno says.
  static List<Path> policies() throws IOException {
    try (Stream<Path> files = Files.list(POLICIES)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("policies")
  void rejectedPoliciesFailAlone(Path file) throws IOException {
    var words = Files.readAllLines(file).getFirst().substring("# ".length());
    var name = file.getFileName().toString().replace(".yaml", "");
    insights.expects(
        Feeds.of(
            clusterPolicy("before", "Audit"),
            Files.readString(file).replace("namespace: default", "namespace: " + namespace),
            clusterPolicy("then", "Audit")));

    var preview = agent.run("--dry-run");
    var run = agent.run();

    for (var tried : List.of(preview, run)) {
      assertThat(tried.exitCode()).as(tried.all()).isEqualTo(1);
      assertThat(texts(tried, "failed")).containsExactly(name);
      assertThat(reason(tried)).contains("denied the request").contains(words);
      assertThat(texts(tried, "applied")).containsExactly("before", "then");
    }
    assertThat(reason(run)).isEqualTo(reason(preview));
  }

  private static String reason(Agent.Run run) {
    return ((Value.Mapping) run.summary().items("errors").getFirst()).text("reason").orElseThrow();
  }
}
