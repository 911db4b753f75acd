package dev.policysync.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.cli.settings.Setting;
import dev.policysync.testcluster.Documents;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InvocationTest {

  /// A pod has no terminal.
  @Test
  void showsTheHelpToAPersonWhoTypesTheNameAlone() {
    var terminals = System.setProperty(Terminal.PROPERTY, "stdin,stdout");
    try {
      assertThat(Invocation.of()).isEqualTo(new Invocation.Print(HelpText.ofProgram(), false));
      System.setProperty(Terminal.PROPERTY, "");
      assertThat(Invocation.of()).isEqualTo(Invocation.Run.plain(Command.SYNC));
    } finally {
      if (terminals == null) {
        System.clearProperty(Terminal.PROPERTY);
      } else {
        System.setProperty(Terminal.PROPERTY, terminals);
      }
    }
  }

  @Test
  void meansSyncWhereNothingIsSaid() {
    assertThat(Invocation.of()).isEqualTo(plain(Command.SYNC));
  }

  @Test
  void takesACommandAlone() {
    assertThat(Invocation.of("diff")).isEqualTo(plain(Command.DIFF));
  }

  @Test
  void takesOptionsWithoutACommandAsSync() {
    assertThat(Invocation.of("--dry-run", "--max-removals", "5", "-o", "json"))
        .isEqualTo(
            new Invocation.Run(
                Command.SYNC,
                Map.of(Setting.DRY_RUN, "true", Setting.MAX_REMOVALS, "5"),
                Optional.of(OutputFormat.JSON),
                Map.of(),
                List.of()));
  }

  @Test
  void takesOptionsBehindACommand() {
    assertThat(Invocation.of("diff", "--from=policies", "--exit-code"))
        .isEqualTo(
            new Invocation.Run(
                Command.DIFF,
                Map.of(Setting.FROM, "policies"),
                Optional.empty(),
                Map.of(CommandOption.EXIT_CODE, ""),
                List.of()));
  }

  @Test
  void readsStandardInputByADash() {
    assertThat(Invocation.of("sync", "--from", "-"))
        .isEqualTo(
            new Invocation.Run(
                Command.SYNC, Map.of(Setting.FROM, "-"), Optional.empty(), Map.of(), List.of()));
  }

  @Test
  void everyFlagIsAnOptionOfSyncAndDiff() {
    for (var setting : Setting.ofSync()) {
      setting
          .flag()
          .ifPresent(flag -> {
            var option = setting.argument().isPresent() ? flag + "=x" : flag;
            assertThat(Invocation.of("sync", option)).isInstanceOf(Invocation.Run.class);
            assertThat(Invocation.of("diff", option)).isInstanceOf(Invocation.Run.class);
          });
    }
  }

  @Test
  void refusesAnUnknownFlagAndSuggestsTheRightOne() {
    assertThat(complaint("--dry-rum")).contains("--dry-rum").contains("--dry-run");
  }

  @Test
  void refusesAnUnknownCommand() {
    assertThat(complaint("snyc")).contains("snyc").contains("sync");
  }

  @Test
  void refusesAnUnknownFormat() {
    assertThat(complaint("-o", "yaml")).contains("yaml").containsIgnoringCase("json");
  }

  @Test
  void refusesHelpOnAnUnknownCommand() {
    assertThat(complaint("help", "snyc")).contains("snyc");
  }

  @Test
  void refusesATokenAsAFlag() {
    assertThat(complaint("--token=secret-4711")).doesNotContain("secret-4711");
  }

  @Test
  void showsNoLongWordWhereverItStands() {
    var token = "k7Qz-vXw9-Jt3R-mB5f-Yd8H";

    assertThat(complaint("--token", token)).contains("--token").doesNotContain(token);
    assertThat(complaint(token)).doesNotContain(token);
    assertThat(complaint("sync", token)).doesNotContain(token);
    assertThat(complaint("help", token)).doesNotContain(token);
    assertThat(complaint("-o", token)).contains("-o").doesNotContain(token);
    assertThat(complaint("-o" + token)).contains("-o").doesNotContain(token);
    assertThat(complaint("--output=" + token)).contains("--output").doesNotContain(token);
    assertThat(complaint("--dry-run=" + token)).contains("--dry-run").doesNotContain(token);
  }

  @Test
  void printsItsVersion() {
    assertThat(Invocation.of("--version"))
        .isEqualTo(new Invocation.Print("policy-sync " + ProgramVersion.text() + "\n", false));
  }

  @Test
  void printsItsVersionForPrograms() {
    assertThat(Invocation.of("version")).isEqualTo(Invocation.of("--version"));
    assertThat(Invocation.of("version", "-o", "json"))
        .isInstanceOfSatisfying(
            Invocation.Print.class,
            printed -> {
              var json = Documents.json(printed.text());
              assertThat(json.text("version")).contains(ProgramVersion.text());
              assertThat(json.text("java")).contains(Runtime.version().toString());
            });
    assertThat(complaint("version", "-o", "yaml")).contains("yaml").contains("text, json");
  }

  @Test
  void takesTheNamespaceAsKubectlDoes() {
    assertThat(Invocation.of("check", "-n", "insights-agent"))
        .isEqualTo(Invocation.of("check", "--namespace=insights-agent"))
        .isInstanceOfSatisfying(
            Invocation.Run.class,
            run -> assertThat(run.flags()).containsEntry(Setting.NAMESPACE, "insights-agent"));
  }

  @Test
  void completesForKnownShellsOnly() {
    assertThat(complaint("completion")).contains("bash, zsh");
    assertThat(complaint("completion", "tcsh")).contains("bash, zsh");
  }

  private static String complaint(String... arguments) {
    return switch (Invocation.of(arguments)) {
      case Invocation.Print(var text, var error) -> {
        assertThat(error).isTrue();
        yield text;
      }
      case Invocation.Run run -> throw new AssertionError("would run " + run);
    };
  }

  private static Invocation plain(Command command) {
    return Invocation.Run.plain(command);
  }
}
