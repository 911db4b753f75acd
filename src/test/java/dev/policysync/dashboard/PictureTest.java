package dev.policysync.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

class PictureTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path DASHBOARD = Path.of("chart", "dashboards", "policy-sync.json");
  private static final Path PICTURE = Path.of("docs", "dashboard.svg");

  @Test
  void drawsAStatInTheColourOfTheStepThatItReaches() throws Exception {
    assertThat(drawn("Waiting for approval", vector("{}", "0")))
        .contains("Waiting for approval", ">0</text>", "#56a64b");
    assertThat(drawn("Waiting for approval", vector("{}", "1"))).contains(">1</text>", "#d69e00");
    assertThat(drawn("Policies not in force", vector("{}", "1"))).contains("#e02f44");
    assertThat(drawn("Clusters", "")).contains(">No data</text>", "#3274d9");
  }

  @Test
  void stacksLinesAndNamesThemInTheLegend() throws Exception {
    var series = "{\"metric\": {\"state\": \"%s\"}, \"values\": [[0, \"%s\"], [60, \"%s\"]]}";

    var drawn =
        drawn(
            "Policies by state",
            series.formatted("a<b", "1", "2") + ", " + series.formatted("failed", "1", "1"));

    assertThat(drawn)
        .contains(">a&lt;b</text>", ">failed</text>", ">00:00</text>", ">00:01</text>");
    // From the half of an axis of 0 to 3 to its upper end: the second is on top of the first.
    assertThat(heights(drawn)).containsExactly(List.of(2, 3), List.of(1, 2));
  }

  @Test
  void drawsTheColumnsOfATableThatAreNotHidden() throws Exception {
    var drawn =
        drawn(
            "Time since the last success",
            vector("{\"cluster\": \"prod-1\", \"job\": \"hidden\"}", "90")
                + ", "
                + vector("{\"cluster\": \"prod-2\"}", "0.25"));

    assertThat(drawn)
        .contains(">cluster</text>", ">prod-1</text>", ">1.50 mins</text>", ">250 ms</text>")
        .doesNotContain("job", "hidden");
  }

  @Test
  void drawsASeriesInItsOwnColourWhateverTheOthersAre() throws Exception {
    var series = "{\"metric\": {\"state\": \"%s\"}, \"values\": [[0, \"1\"], [60, \"1\"]]}";
    var failed = series.formatted("failed");

    assertThat(drawn("Policies by state", failed)).contains("stroke=\"#ad0317\"");
    assertThat(drawn("Policies by state", series.formatted("in_force") + ", " + failed))
        .contains("stroke=\"#56a64b\"", "stroke=\"#ad0317\"");
  }

  @Test
  void putsWhatTwoQueriesAnswerForADigestInOneRow() throws Exception {
    var both = vector("{\"digest\": \"sha256:a\"}", "2");
    var fresh = vector("{\"digest\": \"sha256:b\"}", "-240000");

    var drawn = drawn("Feeds", both + ", " + fresh);

    assertThat(drawn)
        .contains(">Clusters</text>", ">Since</text>", ">2</text>", ">a minute ago</text>")
        .contains(">5 minutes ago</text>")
        .containsOnlyOnce("sha256:a");
  }

  /// The one in the docs has every panel, and each has been answered.
  @Test
  void drewTheWholeDashboard() throws Exception {
    var drawn = Files.readString(PICTURE);

    parsed(drawn);
    assertThat(JSON.readTree(DASHBOARD.toFile()).path("panels"))
        .hasSize(13)
        .allSatisfy(panel -> assertThat(drawn).contains(">" + panel.path("title").asText() + "<"));
    assertThat(drawn).contains("prod-1", "prod-2", "prod-3").doesNotContain("No data", "NaN");
    assertThat(Files.size(PICTURE)).isLessThan(100_000);
  }

  @Test
  void asksForAllClusters() {
    var target = new Panel.Target("A", "up{organization=~\"$organization\"}", "", true);

    assertThat(target.ofAllClusters()).isEqualTo("up{organization=~\".*\"}");
  }

  private static String drawn(String title, String results) throws Exception {
    var answer = JSON.readTree("{\"data\": {\"result\": [" + results + "]}}");
    var drawn =
        new Picture(
                "policy-sync",
                List.of(Panel.of(panel(title))),
                _ -> Series.of(answer),
                Instant.EPOCH,
                Instant.ofEpochSecond(60),
                Duration.ofSeconds(5))
            .svg();
    parsed(drawn);
    return drawn;
  }

  private static JsonNode panel(String title) throws Exception {
    return JSON.readTree(DASHBOARD.toFile())
        .path("panels")
        .valueStream()
        .filter(panel -> panel.path("title").asText().equals(title))
        .findFirst()
        .orElseThrow();
  }

  private static String vector(String labels, String value) {
    return "{\"metric\": %s, \"value\": [60, \"%s\"]}".formatted(labels, value);
  }

  /// The values of each line as drawn, on an axis of 0 to 3.
  private static List<List<Integer>> heights(String drawn) {
    var grid = numbers(drawn, "class=\"grid\" d=\"M[0-9.]+ ([0-9.]+)H");
    var lines = new ArrayList<List<Integer>>();
    drawn
        .lines()
        .filter(line -> line.contains("class=\"line\""))
        .forEach(line ->
            lines.add(numbers(line, "[ML][0-9.]+ ([0-9.]+)").stream().map(grid::indexOf).toList()));
    return lines;
  }

  private static List<Double> numbers(String text, String pattern) {
    return java.util.regex.Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(found -> Double.valueOf(found.group(1)))
        .toList();
  }

  private static void parsed(String svg) throws Exception {
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
  }
}
