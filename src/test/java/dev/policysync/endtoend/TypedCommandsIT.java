package dev.policysync.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.AgentTraces;
import dev.policysync.testcluster.KubeconfigFile;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Each `policy-sync …` that README.md and docs tell people to type, by bash, on a laptop with a
/// kubeconfig: word by word, in the order of the pages.
///
/// Those of helm, and of other tools beside it, are run by the tests of their pages in the package
/// `install`.
class TypedCommandsIT extends EndToEnd {
  private static final List<String> PAGES =
      List.of(
          "README.md",
          "docs/check.md",
          "docs/cli.md",
          "docs/convert.md",
          "docs/export.md",
          "docs/operations.md",
          "docs/status.md",
          "docs/report-views.md");

  private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```(?:sh|bash)\n(.*?)^ *```");
  private static final Pattern TYPED = Pattern.compile(" *(source <\\()?policy-sync( .*)?");

  /// They need another program: that of a pipe, and Kyverno's command line (VerifiedConversionIT).
  private static final List<String> ELSEWHERE = List.of("| jq", "--verify");

  private Path laptop;

  @BeforeEach
  void haveALaptop() throws IOException {
    createNamespace("shop");
    createNamespace("platform");
    createNamespace("insights-agent");
    new AgentTraces(cluster.admin()).removeAll();
    laptop = Files.createDirectory(folder.resolve("laptop"));
    KubeconfigFile.ofAdmin(cluster).write(laptop.resolve("kubeconfig"));
    var examples = Path.of("examples", "policies");
    copy(examples, laptop.resolve("examples/policies"));
    copy(examples, laptop.resolve("policies"));
    Files.writeString(laptop.resolve("policies.yaml"), Feeds.examples());
    Files.writeString(laptop.resolve("yesterday.json"), agent.run("report", "-o", "json").stdout());
    insights.expects(Feeds.examples());
  }

  @AfterEach
  void removeTraces() {
    new AgentTraces(cluster.admin()).removeAll();
  }

  @Test
  void eachCommandOfThePagesDoesWhatItIsFor() throws Exception {
    var typed = typed();
    assertThat(typed).hasSizeGreaterThan(25);

    for (var command : typed) {
      var run = inBash(command);
      assertThat(run.status()).as(command + "\n" + run.said()).isIn(expected(command));
    }
    assertThat(laptop.resolve("backup.yaml")).content().contains("kind: ClusterPolicy");
    assertThat(laptop.resolve("findings.html")).content().contains("<html");
  }

  /// No settings are wrong (2), no signal ends it. What finds something says so by 1: `status` that
  /// no CronJob runs here, `check` that there is no Kyverno, `lint` and `convert` what the example
  /// policies are.
  private static Set<Integer> expected(String command) {
    if (command.contains("--exit-code")) {
      return Set.of(4);
    }
    return Stream.of("status", "check", "lint", "convert")
            .anyMatch(finding -> command.contains("policy-sync " + finding))
        ? Set.of(0, 1)
        : Set.of(0);
  }

  private static List<String> typed() throws IOException {
    var typed = new ArrayList<String>();
    for (var page : PAGES) {
      var blocks = BLOCK.matcher(Files.readString(Path.of(page)));
      while (blocks.find()) {
        blocks
            .group(1)
            .lines()
            .filter(line ->
                TYPED.matcher(line).matches() && ELSEWHERE.stream().noneMatch(line::contains))
            .forEach(typed::add);
      }
    }
    return typed;
  }

  private record Ended(int status, String said) {}

  private Ended inBash(String command) throws IOException, InterruptedException {
    var output = folder.resolve("said.txt");
    var builder = new ProcessBuilder("bash", "-c", command).directory(laptop.toFile());
    builder.environment().clear();
    builder.environment().putAll(insights.environment());
    builder.environment().put("HOME", laptop.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("KUBECONFIG", laptop.resolve("kubeconfig").toString());
    var program = Path.of("target", "dist", "bin").toAbsolutePath();
    builder.environment().put("PATH", program + ":" + System.getenv("PATH"));
    var process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    process.getOutputStream().close();
    assertThat(process.waitFor(TimeLimits.WAIT)).as(command).isTrue();
    return new Ended(process.exitValue(), Files.readString(output));
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (var file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
