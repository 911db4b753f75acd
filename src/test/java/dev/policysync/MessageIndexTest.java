package dev.policysync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.SourceMessages.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every message of the program has an entry in `docs/messages.md`, and every entry is a message of
/// the program.
///
/// A message is a text of at least three words in the sources that is not in the list of exclusions
/// below. It has an entry if the page contains what a reader would search for: its first clause
/// without a variable part.
class MessageIndexTest {
  private static final Path PAGE = Path.of("docs", "messages.md");

  /// The first cell of a row, and the headings: where the page quotes messages.
  private static final Pattern QUOTING =
      Pattern.compile("^(?:\\| (?<cell>(?:[^|\\\\]|\\\\.)*) \\||### (?<heading>.*)$)");

  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  /// What is no message for users, or is explained on another page.
  private static final List<Exclusion> EXCLUSIONS =
      List.of(
          new Exclusion(
              "internal errors, printed as `internal error in policy-sync: …`",
              call("new (IllegalState|UnsupportedOperation|NoSuchElement|UncheckedIO)Exception"),
              call("new (GeneralSecurity|JsonParse|DateTime)Exception|Objects.requireNonNull"),
              call("new IllegalArgumentException")
                  .in("policy/(Digest|PolicyId|feed/UnreadableDocument|kyverno/KyvernoVersion)"),
              call("new IllegalArgumentException")
                  .in("plan/(EnforceGuard|RemovalBudget|RemovalHistory)|report/Finding"),
              call("new IllegalArgumentException")
                  .in("remote/cluster/(lease/RunState.*|probe/ProbePolicy)")),
          new Exclusion(
              "log lines at info and debug",
              call(".*\\.at(Info|Debug|Trace)\\(\\).*"),
              text("Policy would be .*|(Approval of removals|Enforcement approval) used")),
          new Exclusion(
              "results of `check` that are as required",
              call("CheckResult.ok|registered.add").in("inspect/.*"),
              text(".* is reached .*|.*; the certificate for .*|the local clock agrees with .*")
                  .in("inspect/(ApiChecks|ClockSkew)"),
              text("… is held by …|API server clock").in("inspect/ClusterChecks"),
              text("the API server and its webhooks accept .*").in("remote/cluster/probe/.*")),
          new Exclusion(
              "fixes that `check` prints below what it found",
              call("CheckResult.(failure|warning)#2|ClockSkew.judge#4|inNamespace|add")
                  .in("inspect/.*"),
              text("heap up to .*|a run that uses the whole heap would be killed .*")
                  .in("inspect/MemoryLimit")),
          new Exclusion(
              "names of things in other messages, commands to copy, and formats",
              text("gone from feed|the (enforcement )?approval on the Lease").in("plan/.*"),
              text("side by side|.*depending on a namespaceSelector.*").in("policy/.*"),
              text("…: list … .annotation on the Lease.|… more, see the run's summary")
                  .in("sync/.*"),
              text("a … that could not be listed|… of the feed").in("sync/succession/Exemptions"),
              text("take over the fields of|note that there is no report").in("remote/.*"),
              text("a value of … characters|# End of the export: |… of …… of kyverno.io .*")
                  .in("cli/.*"),
              text("kubectl (patch|annotate) lease .*|Run 'policy-sync help.*"),
              text("kubectl (patch|get|logs|describe) .*|policy-sync (status|convert) --.*")
                  .in("inspect/.*"),
              text("the cluster of this pod at …").in("remote/.*"),
              file("cli/Logs|remote/cluster/probe/ProbePolicy")),
          new Exclusion(
              "what a run is doing, for the progress line and names of threads",
              call("progress.step|Parallel.\\w+|run.within|Thread.ofPlatform.*"),
              text("reading the cluster").in("sync/RunInputs|report/.*")),
          new Exclusion(
              "patterns, and texts of others that the program recognizes",
              call("Pattern.compile|\\w+.(contains|startsWith|endsWith|equals|split)"),
              call("\\w+.(matches|replaceAll)|DateTimeFormatter.ofPattern"),
              text("Internal error occurred: failed calling webhook |create not allowed while .*")
                  .in("remote/cluster/ApiErrorClassifier"),
              text("Unexpected response code .*|Failed to authenticate with proxy").in("remote/.*"),
              call("new Known#0").in("base/yaml/SyntaxProblem"),
              text("found character.*|could not find .*").in("base/yaml/SyntaxProblem"),
              file("base/yaml/PlainScalar")),
          new Exclusion(
              "help: printed by `policy-sync help`, and the tables of settings and metrics",
              call("new (Setting|Command|CommandOption|Example)"),
              call("rawSettings.(value|optional|required)|matching").in("cli/settings/.*"),
              file("cli/(CommandHelp|HelpText)|sync/(RunMetrics|MetricsText)")),
          new Exclusion(
              "lint: each rule has a page in docs/lint",
              file("lint/.*|policy/admission/.*|policy/kyverno/(Cron|WebhookFaults)")),
          new Exclusion(
              "convert: what is refused, and the successors, are in docs/convert.md",
              file("convert/.*")),
          new Exclusion(
              "impact: the reasons are explained in docs/impact.md", file("plan/impact/.*")),
          new Exclusion(
              "labels of outputs that docs/status.md and docs/report-views.md explain",
              file("cli/(\\w+/)?\\w*(Text|Json|Rows|Sarif|SkippedCount|ProgressLine)"),
              file("report/view/(?!BaselineFile|Coverage).*"),
              call("new Coverage#1").in("report/view/Coverage")));

  private static final List<Message> TEXTS = SourceMessages.all();
  private static final List<Message> SENTENCES =
      TEXTS.stream().filter(Message::isSentence).toList();

  @Test
  void everyMessageHasAnEntry() throws IOException {
    var page = plain(Files.readString(PAGE));
    var missing =
        SENTENCES.stream()
            .filter(message -> EXCLUSIONS.stream().noneMatch(it -> it.covers(message)))
            .filter(message -> !page.contains(plain(message.searched())))
            .map(message -> message + "\n    to be found by: " + message.searched())
            .toList();

    assertThat(missing)
        .as("Add an entry to %s, or an exclusion with its reason to this test.", PAGE)
        .isEmpty();
  }

  @Test
  void everyEntryIsAMessage() throws IOException {
    var texts = new StringBuilder();
    TEXTS.forEach(message -> texts.append(message.text()).append('\n'));
    var program = plain(texts.toString());
    var unknown =
        Files.readAllLines(PAGE).stream()
            .flatMap(MessageIndexTest::quoted)
            .flatMap(quoted -> SourceMessages.constantParts(quoted).stream())
            .flatMap(part -> Stream.of(part.split(": ")))
            .filter(part -> part.length() >= 15 && !program.contains(plain(part)))
            .toList();

    assertThat(unknown).as("No text of the program has this part of an entry.").isEmpty();
  }

  @Test
  void everyExclusionIsNeeded() {
    var unused =
        EXCLUSIONS.stream()
            .flatMap(exclusion -> exclusion.scopes().stream())
            .filter(scope -> SENTENCES.stream().noneMatch(scope::covers))
            .toList();

    assertThat(unused).isEmpty();
  }

  private static Stream<String> quoted(String line) {
    var quoting = QUOTING.matcher(line);
    if (!quoting.find()) {
      return Stream.of();
    }
    var where = quoting.group("cell") == null ? quoting.group("heading") : quoting.group("cell");
    return QUOTED.matcher(where).results().map(found -> found.group(1));
  }

  private static String plain(String text) {
    return text.replace("`", "").replace("\\|", "|").replaceAll("\\s+", " ");
  }

  private static Scope file(String pattern) {
    return new Scope(pattern, ".*", ".*");
  }

  private static Scope call(String pattern) {
    return new Scope(".*", pattern, ".*");
  }

  private static Scope text(String pattern) {
    return new Scope(".*", ".*", pattern);
  }

  private record Exclusion(String reason, List<Scope> scopes) {
    Exclusion(String reason, Scope... scopes) {
      this(reason, List.of(scopes));
    }

    boolean covers(Message message) {
      return scopes.stream().anyMatch(scope -> scope.covers(message));
    }
  }

  /// Where a text is excluded: patterns of its file without `.java`, of the call that it is given
  /// to, with or without the number of the argument, and of the text itself.
  private record Scope(String file, String call, String text) {
    Scope in(String pattern) {
      return new Scope(pattern, call, text);
    }

    boolean covers(Message message) {
      return matches(file, message.file().replace(".java", ""))
          && (matches(call, message.call()) || matches(call, message.call().replaceAll("#.*", "")))
          && matches(text, message.text());
    }

    private static boolean matches(String pattern, String text) {
      return Pattern.compile(pattern, Pattern.DOTALL).matcher(text).matches();
    }
  }
}
