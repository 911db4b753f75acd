package dev.policysync.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the shells themselves offer once they have read our scripts.
class CompletionIT {
  @TempDir private Path folder;

  @BeforeAll
  static void findsTheShells() throws Exception {
    assertThat(run(Path.of("").toAbsolutePath(), "dev/programs", "bash", "zsh")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void offersCommands(String shell) throws Exception {
    assertThat(offered(shell, "policy-sync re")).contains("report").doesNotContain("sync");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void offersTheFlagsOfACommand(String shell) throws Exception {
    assertThat(offered(shell, "policy-sync report --output-"))
        .contains("--output-file")
        .doesNotContain("--max-removals");
    assertThat(offered(shell, "policy-sync diff --max")).contains("--max-removals");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void offersTheFlagsOfSyncWithoutACommand(String shell) throws Exception {
    assertThat(offered(shell, "policy-sync --max")).contains("--max-removals");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void offersFormats(String shell) throws Exception {
    assertThat(offered(shell, "policy-sync lint -o s")).contains("sarif").doesNotContain("json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void offersFilesForAPath(String shell) throws Exception {
    Files.writeString(folder.resolve("policies.yaml"), "");

    assertThat(offered(shell, "policy-sync diff --from pol")).contains("policies.yaml");
    assertThat(offered(shell, "policy-sync lint pol")).contains("policies.yaml");
    assertThat(offered(shell, "policy-sync convert pol")).contains("policies.yaml");
  }

  @Test
  void offersNoFilesForAName() throws Exception {
    Files.writeString(folder.resolve("policies.yaml"), "");

    assertThat(offered("bash", "policy-sync diff --context pol")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void offersShells(String shell) throws Exception {
    assertThat(offered(shell, "policy-sync completion z")).contains("zsh").doesNotContain("bash");
  }

  /// What stands after the cursor, or could, when Tab is pressed at the end of that line.
  private List<String> offered(String shell, String line) throws Exception {
    return switch (shell) {
      case "bash" -> run(folder, "bash", "--norc", "-c", bash(line)).lines().toList();
      default -> words(run(folder, "zsh", "-f", "-c", zsh(line)));
    };
  }

  private Path script(String shell) throws IOException {
    return switch (Invocation.of("completion", shell)) {
      case Invocation.Print(var text, var error) -> {
        assertThat(error).isFalse();
        yield Files.writeString(folder.resolve("completion." + shell), text);
      }
      case Invocation.Run run -> throw new AssertionError("would run " + run);
    };
  }

  /// bash calls the function that was registered, as it does at Tab.
  private String bash(String line) throws IOException {
    var words = line.split(" ", -1);
    return """
    source '%s'
    COMP_WORDS=(%s) COMP_CWORD=%d COMP_LINE='%s' COMP_POINT=%d
    function=$(complete -p policy-sync | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
    "$function" policy-sync "${COMP_WORDS[COMP_CWORD]}" 2>/dev/null
    printf '%%s\\n' "${COMPREPLY[@]}" | sed '/^$/d; s/ *$//'
    """
        .formatted(script("bash"), line, words.length - 1, line, line.length());
  }

  /// zsh has its completion only at a terminal: one is made, in which Tab completes the line (or
  /// lists what there is), and the line is accepted.
  private String zsh(String line) throws IOException {
    return """
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "PROMPT= TERM=dumb; unsetopt zle_bracketed_paste; stty -echo"
    zpty -w shell "bindkey '^I' complete-word; setopt no_auto_menu list_ambiguous"
    zpty -w shell "autoload -U compinit && compinit -u -D && source '%s' && print rea''dy"
    zpty -r shell answer '*ready*'
    zpty -w shell "policy-sync() { print -r -- giv''en \\"\\$*\\" end; }"
    zpty -w -n shell "%s"$'\\t'$'\\n'
    zpty -r shell answer '*given *end*'
    print -r -- "$answer"
    """
        .formatted(script("zsh"), line);
  }

  private static List<String> words(String answer) {
    var given = answer.replaceFirst("(?s).*given ", "").replaceFirst("(?s) end.*", "");
    return List.of(given.split(" "));
  }

  private static String run(Path folder, String... command) throws Exception {
    var process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.getOutputStream().close();
    var said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(TimeLimits.WAIT)).isTrue();
    return said;
  }
}
