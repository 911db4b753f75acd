package dev.policysync.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.cli.settings.PinnedSettings;
import dev.policysync.cli.settings.Setting;
import dev.policysync.cli.settings.Settings;
import dev.policysync.cli.settings.SettingsReader;
import dev.policysync.sync.RunId;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.StopReason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever is set, it is right or it is a wrong setting, named when the settings are read: never a
/// defect of the program in the middle of a run.
class HostileSettingsTest {
  private static final List<String> VALUES =
      List.of(
          ".",
          "..",
          "...",
          "%2e",
          "%2E%2e",
          "/",
          "../..",
          "a/b",
          "a b",
          "a\tb",
          "a\nb",
          "a\u0000b",
          "\u001b[2J",
          "\u007f",
          "\u202eabc",
          "größe",
          "政策",
          "😀",
          "\ud800",
          "\ufffd",
          "?x=y",
          "#",
          "@",
          "~",
          "'",
          "\"",
          "$(id)",
          "-",
          "--",
          "-1",
          "0",
          "1e9",
          "٣",
          "99999999999999999999",
          "-9223372036854775808",
          "9223372036854775807s",
          "-5s",
          "1ns",
          "0.5s",
          "1h",
          "101%",
          "99999999999%",
          "true\u0000",
          "ALWAYS\u0000",
          "ıdentıcal",
          "http://",
          "https://:443",
          "https://insights.example.com:70000",
          "https://insights.example.com:0",
          "https://insights.example.com:-1",
          "https://insights.example.com:",
          "https://insights.example.com/%00/%2e%2e/..",
          "https://insights.example.com/%",
          "https://[::1",
          "https://[fe80::1%25eth0]",
          "https://[fe80::1%eth0]/",
          "https://exa_mple.com",
          "https://-a.example.com",
          "https://a..example.com",
          "https://xn--a",
          "https://größe.example.com",
          "https://" + "a".repeat(64) + ".example.com",
          "https://" + "a.".repeat(200) + "com",
          "https://1.2.3.4.5",
          "https://999.1.1.1",
          "https:insights.example.com",
          "HTTPS://INSIGHTS.EXAMPLE.COM",
          "x".repeat(254),
          "x".repeat(100_000));

  private static final Map<String, String> RIGHT =
      Map.of(
          "FAIRWINDS_INSIGHTS_HOST", "https://127.0.0.1:1",
          "FAIRWINDS_TOKEN", "s3cret-t0ken",
          "FAIRWINDS_ORG", "acme",
          "FAIRWINDS_CLUSTER", "prod-1");

  private final InputStream typed = System.in;

  @TempDir private Path folder;
  private Path kubeconfig = Path.of("");

  static Stream<Arguments> settings() {
    return Setting.all().stream().map(Arguments::of);
  }

  @BeforeEach
  void kubeconfig() throws IOException {
    kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            current-context: here
            contexts: [{name: here, context: {cluster: here, user: me}}]
            clusters: [{name: here, cluster: {server: "http://127.0.0.1:1"}}]
            users: [{name: me, user: {token: t0ken-of-the-cluster}}]
            """);
  }

  /// Policies may be expected from standard input, and that of a test run never ends.
  @BeforeEach
  void typeNothing() {
    System.setIn(InputStream.nullInputStream());
  }

  @AfterEach
  void typeAgain() {
    System.setIn(typed);
  }

  @ParameterizedTest
  @MethodSource("settings")
  void areRightOrNamedWhenTheyAreRead(Setting setting) {
    for (var value : VALUES) {
      var environment = new HashMap<>(RIGHT);
      environment.put("KUBECONFIG", kubeconfig.toString());
      var flags = new HashMap<Setting, String>();
      if (setting.env().isPresent()) {
        environment.put(setting.env().get(), value);
      } else {
        flags.put(setting, value);
      }
      var about = setting + "=" + value.substring(0, Math.min(40, value.length()));
      var wrong = problems(flags, environment);

      assertThat(wrong)
          .as(about)
          .allSatisfy(problem ->
              assertThat(problem)
                  .contains(setting.env().or(setting::flag).orElseThrow())
                  .matches(text -> text.chars().noneMatch(Character::isISOControl), "is printable")
                  .hasSizeLessThan(300));
      if (wrong.isEmpty()) {
        runsOrFindsNoSuchCluster(about, flags, environment);
      }
    }
  }

  @Test
  void areTakenAsTheyAreWhereNothingIsWrongWithThem() {
    var environment = new HashMap<>(RIGHT);
    environment.put("FAIRWINDS_ORG", "größe & söhne");
    environment.put("FAIRWINDS_CLUSTER", "%2e");

    assertThat(problems(Map.of(), environment)).isEmpty();
  }

  /// What nobody can know before: a context that the kubeconfig does not have, a file that is not
  /// there.
  private static void runsOrFindsNoSuchCluster(
      String about, Map<Setting, String> flags, Map<String, String> environment) {
    var settings = SettingsReader.read(flags, environment, PinnedSettings.NONE);
    var stop = new Cancellation(Duration.ofNanos(1), System::nanoTime);
    stop.raise(StopReason.DEADLINE);
    var id = RunId.random();
    var connectionFactory = new ConnectionFactory(environment, stop, id, _ -> {});

    try {
      var summary = new SyncWiring(connectionFactory, stop, id).run(settings, false, Progress.NONE);

      assertThat(summary.writes().failed()).as(about).isNotEmpty();
      assertThatCode(() -> report(settings, new ReportWiring(connectionFactory, stop, environment)))
          .as(about)
          .doesNotThrowAnyException();
    } catch (InvalidSettings e) {
      assertThat(e.problems())
          .as(about)
          .allMatch(problem -> problem.contains("kubeconfig") || problem.contains("Insights host"));
    }
  }

  private static void report(Settings settings, ReportWiring run) {
    if (settings.reporting().file().isPresent() || settings.api().isPresent()) {
      run.deliver(settings);
    }
  }

  private static List<String> problems(
      Map<Setting, String> flags, Map<String, String> environment) {
    try {
      SettingsReader.read(flags, environment, PinnedSettings.NONE);
      return List.of();
    } catch (InvalidSettings e) {
      return e.problems();
    }
  }
}
