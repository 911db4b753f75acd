package dev.policysync.install;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.SourceName;
import dev.policysync.sync.StartJitter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.Adler32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// When 10,000 clusters call the remote API, each installed by the chart with its defaults: the
/// minute is the chart's, the second the agent's.
class FleetSpreadTest {
  private static final int CLUSTERS = 10_000;
  private static final int MINUTES = 5;
  private static final Duration JITTER = Duration.ofSeconds(60);

  /// @param what for people
  /// @param name organization and cluster by number
  record Fleet(String what, IntFunction<String> name) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static final Pattern NUMBER = Pattern.compile("([0-9]{1,9})([^0-9]*)$");

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void keepsANumberedFleetBelowFiftyStartsInEachSecond(Fleet fleet) {
    assertThat(startsBySecond(fleet.name()))
        .hasSize(300)
        .allMatch(starts -> starts > 0 && starts < 50);
  }

  static Stream<Fleet> keepsANumberedFleetBelowFiftyStartsInEachSecond() {
    var regions = List.of("eu-west-1", "us-east-2", "ap-south-1", "sa-east-1");
    var stages = List.of("dev", "test", "stage", "prod");
    return Stream.of(
        new Fleet("one row", i -> "acme/prod-" + i),
        new Fleet("leading zeros", i -> "acme/cluster-%05d".formatted(i)),
        new Fleet("a number within", i -> "retail/store-" + i + "-edge"),
        new Fleet("an organization each", i -> "customer-" + i + "/prod"),
        new Fleet("a hundred organizations", i -> "org-" + i / 100 + "/prod-" + i % 100),
        new Fleet(
            "regions and stages",
            i -> "acme/" + regions.get(i % 4) + "-" + stages.get(i / 4 % 4) + "-" + i / 16));
  }

  /// Without numbers chance decides, as with any hash: of 33 in the middle 50 to 57 at most.
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void spreadsOtherNamesAsEvenlyAsChanceDoes(Fleet fleet) {
    assertThat(startsBySecond(fleet.name()))
        .hasSize(300)
        .allMatch(starts -> starts > 10 && starts < 60);
  }

  static Stream<Fleet> spreadsOtherNamesAsEvenlyAsChanceDoes() {
    var random = new Random(1);
    var words =
        IntStream.range(0, 200)
            .mapToObj(_ ->
                random
                    .ints(6, 'a', 'z' + 1)
                    .collect(
                        StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString())
            .toList();
    return Stream.of(
        new Fleet("hexadecimal ids", _ -> "acme/%016x".formatted(random.nextLong())),
        new Fleet("words", i -> "acme/" + words.get(i / 100) + "-" + words.get(100 + i % 100)));
  }

  @ParameterizedTest
  @CsvSource({
    "acme, prod-1",
    "acme, prod-2",
    "acme, prod-3",
    "acme, prod-4",
    "acme, prod-5",
    "acme, prod",
    "acme, cluster-0089",
    "acme, eu-west-1-prod",
    "customer-17, prod",
    "acme, c20261122193500",
    "Ämter, Köln"
  })
  void takesTheMinuteThatTheChartRenders(String organization, String cluster) {
    var rendered =
        Chart.template(
            Chart.FOLDER,
            "insights-agent",
            command ->
                command
                    .set("insights.organization", organization)
                    .set("insights.cluster", cluster));

    assertThat(Manifests.of(rendered).only("CronJob").mapping("spec").text("schedule"))
        .contains(minute(organization + "/" + cluster) + "-59/5 * * * *");
  }

  private static List<Integer> startsBySecond(IntFunction<String> name) {
    var starts = new int[MINUTES * 60];
    IntStream.range(0, CLUSTERS)
        .mapToObj(name)
        .forEach(source ->
            starts[
                minute(source) * 60
                    + (int) StartJitter.delay(new SourceName(source), JITTER).toSeconds()]++);
    return Arrays.stream(starts).boxed().toList();
  }

  /// As the chart's template `policy-sync.schedule` has it.
  private static int minute(String source) {
    var number = NUMBER.matcher(source);
    var found = number.find();
    var rest = found ? number.replaceFirst("#$2") : source;
    var sum = new Adler32();
    sum.update(rest.getBytes(UTF_8));
    return (int) ((sum.getValue() + (found ? Long.parseLong(number.group(1)) : 0)) % MINUTES);
  }
}
