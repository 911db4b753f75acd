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

  /// Texts that are no messages, by file, call and text; an empty pattern covers all.
  private static final List<Exclusion> EXCLUSIONS =
      List.of(
          new Exclusion(
              "internal errors, printed as `internal error in policy-sync: …`",
              "",
              "new (IllegalState|UnsupportedOperation|NoSuchElement|UncheckedIO|GeneralSecurity|JsonParse|DateTime)Exception",
              ""),
          new Exclusion(
              "wrong use of the program's own classes, an internal error as well",
              "policy/(Digest|PolicyId|feed/UnreadableDocument|kyverno/KyvernoVersion)|report/Finding|plan/(EnforceGuard|RemovalBudget|RemovalHistory)|remote/cluster/(lease/RunState.*|probe/ProbePolicy)",
              "new IllegalArgumentException",
              ""),
          new Exclusion(
              "wrong use of the program's own classes, an internal error as well",
              "",
              "Objects\\.requireNonNull",
              ""),
          new Exclusion(
              "log lines at info and debug",
              "",
              ".*\\.at(Info|Debug|Trace)\\(\\).*",
              ""),
          new Exclusion(
              "log lines at info and debug",
              "sync/OutcomeLog|remote/cluster/lease/LeaseRunStateStore",
              "",
              "Policy would be .*|(Approval of removals|Enforcement approval) used"),
          new Exclusion(
              "results of `check` that are as required",
              "inspect/.*",
              "CheckResult\\.ok|registered\\.add|new TreeSet",
              ""),
          new Exclusion(
              "results of `check` that are as required",
              "remote/cluster/probe/WebhookProbe",
              "requests\\.post",
              "the API server and its webhooks accept .*"),
          new Exclusion(
              "fixes that `check` prints below what it found",
              "inspect/.*",
              "CheckResult\\.(failure|warning)#2|ClockSkew\\.judge#4|inNamespace.*|add#.*",
              ""),
          new Exclusion(
              "fixes that `check` prints below what it found",
              "inspect/MemoryLimit",
              "",
              "heap up to .*|a run that uses the whole heap would be killed .*"),
          new Exclusion(
              "results of `check` that are as required, and names of checks",
              "inspect/(ApiChecks|ClockSkew|ClusterChecks)",
              "",
              ".* is reached .*|.*; the certificate for .*|the local clock agrees with .*"
                  + "|… is held by …|API server clock"),
          new Exclusion(
              "names and descriptions of things in other messages",
              "plan/(Action|Approval)|policy/Succession|policy/kyverno/NamespaceScope"
                  + "|sync/(SummaryBuilder|PolicyEventBuilder|succession/Exemptions)"
                  + "|cli/(settings/ValueMasker|ConvertCommand|ExportCommand)"
                  + "|remote/(insights/InsightsReports|cluster/policy/PolicyWriter)",
              "",
              "gone from feed|the (enforcement )?approval on the Lease|side by side"
                  + "|.*depending on a namespaceSelector.*|…: list … .annotation on the Lease."
                  + "|… more, see the run's summary|a value of … characters|take over the fields of"
                  + "|note that there is no report|# End of the export: |… of …… of kyverno.io .*"
                  + "|a … that could not be listed|… of the feed"),
          new Exclusion(
              "commands to copy, and the hint at the help",
              "",
              "",
              "kubectl (patch|annotate) lease .*|Run 'policy-sync help.*"),
          new Exclusion(
              "formats: of log lines, and the policy of the dry run of `check`",
              "cli/Logs|remote/cluster/probe/ProbePolicy",
              "",
              ""),
          new Exclusion(
              "what a run is doing, for the progress line and names of threads",
              "",
              "progress\\.step|Parallel\\.\\w+|run\\.within|Thread\\.ofPlatform.*",
              ""),
          new Exclusion(
              "what a run is doing, for the progress line and names of threads",
              "sync/RunInputs|report/.*",
              "",
              "reading the cluster"),
          new Exclusion(
              "patterns, and texts of others that the program recognizes",
              "",
              "Pattern\\.compile|\\w+\\.(contains|startsWith|endsWith|equals|matches|replaceAll|split)|DateTimeFormatter\\.ofPattern",
              ""),
          new Exclusion(
              "patterns, and texts of others that the program recognizes",
              "remote/(cluster/(ApiErrorClassifier|ProxyFailure)|insights/TransportFailure)",
              "",
              "Internal error occurred: failed calling webhook |create not allowed while .*|Unexpected response code .*|Failed to authenticate with proxy"),
          new Exclusion(
              "patterns, and texts of others that the program recognizes",
              "base/yaml/SyntaxProblem",
              "new Known#0|",
              "found character.*|could not find .*|.*(are not|scanning|found|expected|allowed).*"),
          new Exclusion(
              "patterns, and texts of others that the program recognizes",
              "base/yaml/PlainScalar",
              "",
              ""),
          new Exclusion(
              "help: printed by `policy-sync help`, and the table of settings in README.md",
              "",
              "new (Setting|Command|CommandOption|Example)",
              ""),
          new Exclusion(
              "help: printed by `policy-sync help`, and the table of settings in README.md",
              "cli/(CommandHelp|HelpText)",
              "",
              ""),
          new Exclusion(
              "valid values of a setting, the end of `… is …; expected …`",
              "cli/settings/.*",
              "rawSettings\\.(value|optional|required)|matching",
              ""),
          new Exclusion(
              "help texts of metrics, listed in docs/operations.md",
              "sync/(RunMetrics|MetricsText)",
              "",
              ""),
          new Exclusion(
              "lint: each rule has a page in docs/lint",
              "lint/.*",
              "",
              ""),
          new Exclusion(
              "convert: what is refused, and the successors, are in docs/convert.md",
              "convert/.*",
              "",
              ""),
          new Exclusion(
              "impact: the reasons are explained in docs/impact.md",
              "plan/impact/.*",
              "",
              ""),
          new Exclusion(
              "labels of outputs that docs/status.md and docs/report-views.md explain",
              "cli/(\\w+/)?\\w*(Text|Json|Rows|Sarif|SkippedCount|ProgressLine)|report/view/(?!BaselineFile|Coverage).*",
              "",
              ""),
          new Exclusion(
              "labels of outputs that docs/status.md and docs/report-views.md explain",
              "report/view/Coverage",
              "new Coverage#1",
              ""));

  @Test
  void everyMessageHasAnEntry() throws IOException {
    var page = plain(Files.readString(PAGE));
    var missing =
        messages()
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
    SourceMessages.all().forEach(message -> texts.append(message.text()).append('\n'));
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
  void everyExclusionIsNeeded() throws IOException {
    var sentences = SourceMessages.all().stream().filter(Message::isSentence).toList();

    assertThat(EXCLUSIONS)
        .allMatch(exclusion -> sentences.stream().anyMatch(exclusion::covers));
  }

  private static Stream<Message> messages() throws IOException {
    return SourceMessages.all().stream()
        .filter(Message::isSentence)
        .filter(message -> EXCLUSIONS.stream().noneMatch(exclusion -> exclusion.covers(message)));
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

  /// @param file pattern of the path below the root package, without `.java`
  /// @param call pattern of the call that the text is an argument of
  private record Exclusion(String reason, String file, String call, String text) {
    boolean covers(Message message) {
      return matches(file, message.file().replace(".java", ""))
          && (matches(call, message.call()) || matches("(" + call + ")#.*", message.call()))
          && matches(text, message.text());
    }

    private static boolean matches(String pattern, String text) {
      return pattern.isEmpty() || Pattern.compile(pattern, Pattern.DOTALL).matcher(text).matches();
    }
  }
}
