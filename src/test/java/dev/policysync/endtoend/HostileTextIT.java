package dev.policysync.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Json;
import dev.policysync.base.Printable;
import dev.policysync.base.Value;
import dev.policysync.cli.Command;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Text of policies, live annotations, reports and a Lease that would clear the screen, colour it,
/// start lines of its own, turn the direction of writing and command a CI server, through each
/// command in each format.
class HostileTextIT extends EndToEnd {
  private static final String HOSTILE =
      "\u001b[2J\u001b[31mpwn\r\n::error::pwn\u0007\u202epwn\u009b1m##[error]pwn";

  /// The same in quotes, for JSON and YAML.
  private static final String QUOTED = Printable.lines(Json.write(new Value.Text(HOSTILE)));

  private static final String CONFLICT =
      """
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata:
        name: foreign
        annotations:
          insights.fairwinds.com/owned-by: Fairwinds Insights
          policysync.dev/source: HOSTILE
          policysync.dev/applied: HOSTILE
      spec:
        rules:
          - name: HOSTILE
            match: {any: [{resources: {kinds: [Pod]}}]}
            validate: {message: HOSTILE, pattern: {metadata: {name: "?*"}}}
      """
          .replace("HOSTILE", QUOTED);

  private static final String POLICIES =
      """
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata:
        name: hostile
        annotations:
          policies.kyverno.io/title: HOSTILE
          policies.kyverno.io/severity: HOSTILE
      spec:
        rules:
          - name: HOSTILE
            match: {any: [{resources: {kinds: [Pod]}}]}
            validate:
              failureAction: Enforce
              message: HOSTILE
              pattern: {metadata: {name: "?*"}}
      ---
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata:
        name: unconvertible
      spec:
        rules:
          - name: HOSTILE
            match: {any: [{resources: {kinds: [Pod]}}]}
            mutate: {patchStrategicMerge: {metadata: {labels: {team: HOSTILE}}}}
      """
          .replace("HOSTILE", QUOTED);

  /// Colours of ours, each around a text, and the line that shows the progress.
  private static final Pattern OURS =
      Pattern.compile("\u001b\\[(?:1|2|(?:1;)?3[123])m([^\u001b]*)\u001b\\[0m|\r\u001b\\[K");

  @BeforeEach
  void prepare() {
    create("clusterpolicies", CONFLICT);
    cluster
        .admin()
        .apply(
            report() + "?fieldManager=reports",
            """
            apiVersion: wgpolicyk8s.io/v1alpha2
            kind: PolicyReport
            metadata: {name: hostile}
            scope: {apiVersion: v1, kind: HOSTILE, name: HOSTILE, uid: HOSTILE}
            results:
              - {source: HOSTILE, policy: HOSTILE, rule: HOSTILE, result: fail, message: HOSTILE}
              - {source: kyverno, policy: hostile, rule: HOSTILE, result: fail, message: HOSTILE}
            """
                .replace("HOSTILE", QUOTED))
        .ok();
    agent.with("LOG_LEVEL", "debug").with("LOCK_WAIT", "1s");
  }

  @AfterEach
  void removeReport() {
    cluster.admin().delete(report());
  }

  private String report() {
    return "/apis/wgpolicyk8s.io/v1alpha2/namespaces/" + namespace + "/policyreports/hostile";
  }

  @Test
  void noCommandPrintsItAsItIs() throws IOException {
    var file = Files.writeString(folder.resolve("hostile.yaml"), POLICIES).toString();
    insights.expects(Feeds.of(POLICIES, CONFLICT));

    for (var command : List.of(Command.values())) {
      // The Lease is free for the first commands, which write what the later ones show.
      if (command == Command.CHECK) {
        cluster.admin().delete(LEASE);
        holdLease(QUOTED.substring(1, QUOTED.length() - 1));
      }
      var printed = new StringBuilder();
      for (var format : formats(command)) {
        var run = agent.run(arguments(command, format, file));
        assertPrintable(run);
        printed.append(run.all());
      }
      assertThat(printed).as("what %s prints", command).contains("pwn");
    }
  }

  @Test
  void aTerminalShowsOurColoursAndNoOthers() throws IOException {
    var file = Files.writeString(folder.resolve("hostile.yaml"), POLICIES).toString();
    insights.expects(Feeds.of(POLICIES, CONFLICT));
    agent.withProperty("policysync.terminals", "stdout,stderr");

    for (var command : List.of(Command.DIFF, Command.SYNC, Command.STATUS, Command.REPORT)) {
      var run = agent.run(arguments(command, "text", file));

      assertThat(run.stdout()).as(run.all()).contains("\u001b[1m").contains("pwn");
      assertPrintable(
          new Agent.Run(run.exitCode(), withoutOurs(run.stdout()), withoutOurs(run.stderr())));
    }
    var lint = agent.run("lint", file);
    assertThat(lint.stdout()).as(lint.all()).contains("\u001b[1m").contains("pwn");
    assertPrintable(
        new Agent.Run(lint.exitCode(), withoutOurs(lint.stdout()), withoutOurs(lint.stderr())));
  }

  private static String withoutOurs(String text) {
    assertThat(text).doesNotContain("\u001b[31mpwn");
    return OURS.matcher(text).replaceAll("$1");
  }

  private static void assertPrintable(Agent.Run run) {
    for (var text : List.of(run.stdout(), run.stderr())) {
      var acting =
          text.replace("\r\n", "\n")
              .codePoints()
              .filter(character -> character != '\n' && Printable.isControlOrInvisible(character));
      assertThat(acting).as(text).isEmpty();
      assertThat(text.lines().map(String::stripLeading))
          .noneMatch(line -> line.startsWith("::"))
          .noneMatch(line -> line.contains("##["));
    }
  }

  private static List<String> formats(Command command) {
    return switch (command) {
      case SYNC -> List.of("text", "json");
      case DIFF -> List.of("diff");
      case STATUS, CHECK -> List.of("text", "json");
      case REPORT -> List.of("text", "json", "csv", "html");
      case LINT -> List.of("text", "json", "sarif");
      case CONVERT, EXPORT -> List.of("yaml", "json");
    };
  }

  private static String[] arguments(Command command, String format, String file) {
    var name = command.name().toLowerCase(Locale.ROOT);
    return switch (command) {
      case SYNC, DIFF, STATUS, REPORT, CHECK -> new String[] {name, "-o", format};
      case LINT, CONVERT -> new String[] {name, file, "-o", format};
      case EXPORT -> new String[] {name, "--all", "-o", format};
    };
  }
}
