package dev.policysync.cli.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.cli.Golden;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.TextStyle;
import dev.policysync.plan.SourceName;
import dev.policysync.sync.RunId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The summaries that README.md and `docs/summary.md` show are what the program writes.
class SummaryPageGoldenTest {
  private static final Path README = Path.of("README.md");
  private static final Path PAGE = Path.of("docs", "summary.md");
  private static final RunId RUN = new RunId("3f9a1c2e");
  private static final Optional<SourceName> SOURCE = Optional.of(SourceName.of("acme", "prod-1"));
  private static final SummaryText.Detail DETAIL =
      new SummaryText.Detail(OutputFormat.TEXT, false, false);

  /// A field of the outermost object, with what precedes it.
  private static final Pattern FIELD = Pattern.compile("\n  \"(\\w+)\": ");

  @Test
  void theTextOfTheReadmeIsThatOfARun() {
    var summary = SummaryFixtures.ordinary("the agent's CronJob and Lease are there");
    var text = SummaryText.write(summary, TextStyle.PLAIN, DETAIL, 0);

    Golden.assertBlockEqual(README, "text", "```text\n" + text + "```\n");
  }

  @Test
  void theJsonOfThePageIsThatOfARun() {
    var json = SummaryJson.write(SummaryFixtures.ordinary("the Pod's own namespace"), RUN, SOURCE);

    Golden.assertBlockEqual(PAGE, "json", "```json\n" + indented(json) + "\n```\n");
  }

  @Test
  void thePageExplainsEveryField() throws IOException {
    var json = SummaryJson.write(SummaryFixtures.previewing(List.of()), RUN, SOURCE);
    var rows = Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| `")).toList();

    assertThat(FIELD.matcher(indented(json)).results().map(field -> field.group(1)))
        .hasSizeGreaterThan(30)
        .allSatisfy(field ->
            assertThat(rows).anyMatch(row -> row.split("\\|", 3)[1].contains("`" + field + "`")));
  }

  /// Puts each field of the outermost object on a line of its own.
  private static String indented(String json) {
    var text = new StringBuilder();
    var depth = 0;
    var quoted = false;
    for (var i = 0; i < json.length(); i++) {
      var character = json.charAt(i);
      if (character == '"' && json.charAt(i - 1) != '\\') {
        quoted = !quoted;
      }
      if (!quoted) {
        depth += "{[".indexOf(character) >= 0 ? 1 : "}]".indexOf(character) >= 0 ? -1 : 0;
      }
      if (depth == 0 && character == '}') {
        text.append('\n');
      }
      text.append(character);
      if (!quoted && character == ':') {
        text.append(' ');
      } else if (!quoted && depth == 1 && (character == ',' || i == 0)) {
        text.append("\n  ");
      } else if (!quoted && character == ',') {
        text.append(' ');
      }
    }
    return text.toString();
  }
}
