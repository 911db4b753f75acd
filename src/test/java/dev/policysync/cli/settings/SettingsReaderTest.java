package dev.policysync.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.policysync.convert.ConvertMode;
import dev.policysync.lint.LintMode;
import dev.policysync.plan.Adoption;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.plan.SourceName;
import dev.policysync.sync.execution.WriteMode;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SettingsReaderTest {
  private static final Map<String, String> REQUIRED =
      Map.of(
          "FAIRWINDS_INSIGHTS_HOST", "https://insights.example.com",
          "FAIRWINDS_TOKEN", "s3cret-t0ken",
          "FAIRWINDS_ORG", "acme",
          "FAIRWINDS_CLUSTER", "prod-1");

  @Test
  void hasDefaultsForAllThatIsNotRequired() {
    var settings = read(REQUIRED);

    assertThat(settings.api().map(ApiSettings::host))
        .contains(URI.create("https://insights.example.com"));
    assertThat(settings.api().map(apiSettings -> apiSettings.token().reveal()))
        .contains("s3cret-t0ken");
    assertThat(settings.api().map(ApiSettings::organization)).contains("acme");
    assertThat(settings.api().map(ApiSettings::cluster)).contains("prod-1");
    assertThat(settings.source()).isEqualTo(SourceName.of("acme", "prod-1"));
    assertThat(settings.writeMode()).isEqualTo(WriteMode.LIVE);
    assertThat(settings.output().logLevel()).isEmpty();
    assertThat(settings.guards().maxRemovals()).isEqualTo(new RemovalBudget.Share(20));
    assertThat(settings.guards().adoption()).isEqualTo(Adoption.NEVER);
    assertThat(settings.limits().concurrency()).isEqualTo(4);
    assertThat(settings.limits().lockWait()).isEqualTo(Duration.ofSeconds(65));
    assertThat(settings.limits().timeout()).isEqualTo(Duration.ofMinutes(4));
    assertThat(settings.limits().startJitter()).isZero();
    assertThat(settings.guards().enforcing())
        .isEqualTo(new EnforceGuard(EnforceGuard.Mode.WARN, 1));
    assertThat(settings.conversion())
        .isEqualTo(new ConversionSettings(ConvertMode.OFF, Duration.ofHours(1)));
    assertThat(settings.from()).isEmpty();
    assertThat(settings.cluster().namespace()).isEmpty();
    assertThat(settings.cluster().podName()).isEmpty();
    assertThat(settings.cluster().kubeconfig()).isEmpty();
    assertThat(settings.cluster().context()).isEmpty();
  }

  @Test
  void readsEveryVariable() {
    var settings =
        read(
            with(
                Map.ofEntries(
                    Map.entry("DRY_RUN", "true"),
                    Map.entry("LOG_LEVEL", "debug"),
                    Map.entry("MAX_REMOVALS", "5"),
                    Map.entry("ADOPT", "always"),
                    Map.entry("LINT", "off"),
                    Map.entry("ENFORCE_GUARD", "Hold"),
                    Map.entry("ENFORCE_GUARD_THRESHOLD", "3"),
                    Map.entry("CONVERT", "preview"),
                    Map.entry("CONVERT_REHEARSAL", "24h"),
                    Map.entry("CONCURRENCY", "32"),
                    Map.entry("LOCK_WAIT", "0"),
                    Map.entry("TIMEOUT", "1m30s"),
                    Map.entry("START_JITTER", "500ms"),
                    Map.entry("NAMESPACE", "insights-agent"),
                    Map.entry("POD_NAME", "pod-1"),
                    Map.entry("KUBECONFIG", "/home/me/config"))));

    assertThat(settings.writeMode()).isEqualTo(WriteMode.DRY_RUN);
    assertThat(settings.output().logLevel()).contains(LogLevel.DEBUG);
    assertThat(settings.guards().maxRemovals()).isEqualTo(new RemovalBudget.Count(5));
    assertThat(settings.guards().adoption()).isEqualTo(Adoption.ALWAYS);
    assertThat(settings.guards().lint()).isEqualTo(LintMode.OFF);
    assertThat(settings.guards().enforcing())
        .isEqualTo(new EnforceGuard(EnforceGuard.Mode.HOLD, 3));
    assertThat(settings.conversion())
        .isEqualTo(new ConversionSettings(ConvertMode.PREVIEW, Duration.ofHours(24)));
    assertThat(settings.dryRun().conversion()).isEqualTo(settings.conversion());
    assertThat(settings.limits().concurrency()).isEqualTo(32);
    assertThat(settings.limits().lockWait()).isZero();
    assertThat(settings.limits().timeout()).isEqualTo(Duration.ofSeconds(90));
    assertThat(settings.limits().startJitter()).isEqualTo(Duration.ofMillis(500));
    assertThat(settings.cluster().namespace()).contains("insights-agent");
    assertThat(settings.cluster().podName()).contains("pod-1");
    assertThat(settings.cluster().kubeconfig()).contains("/home/me/config");
  }

  @Test
  void prefersAFlagToTheEnvironment() {
    var flags =
        Map.of(
            Setting.INSIGHTS_HOST, "https://other.example.com",
            Setting.ORGANIZATION, "globex",
            Setting.CLUSTER, "staging",
            Setting.DRY_RUN, "true",
            Setting.CONCURRENCY, "2",
            Setting.CONTEXT, "kind-kind");

    var settings =
        SettingsReader.read(
            flags, with(Map.of("CONCURRENCY", "wrong", "DRY_RUN", "no")), PinnedSettings.NONE);

    assertThat(settings.api().map(ApiSettings::host))
        .contains(URI.create("https://other.example.com"));
    assertThat(settings.source()).isEqualTo(SourceName.of("globex", "staging"));
    assertThat(settings.writeMode()).isEqualTo(WriteMode.DRY_RUN);
    assertThat(settings.limits().concurrency()).isEqualTo(2);
    assertThat(settings.cluster().context()).contains("kind-kind");
  }

  @Test
  void takesAnEmptyVariableForUnset() {
    var settings = read(with(Map.of("CONCURRENCY", "", "LOG_LEVEL", "  ", "NAMESPACE", " ")));

    assertThat(settings.limits().concurrency()).isEqualTo(4);
    assertThat(settings.output().logLevel()).isEmpty();
    assertThat(settings.cluster().namespace()).isEmpty();
  }

  @Test
  void stripsWhiteSpace() {
    var settings = read(with(Map.of("CONCURRENCY", " 8\n", "FAIRWINDS_ORG", " acme ")));

    assertThat(settings.limits().concurrency()).isEqualTo(8);
    assertThat(settings.source()).isEqualTo(SourceName.of("acme", "prod-1"));
  }

  @Test
  void namesEverythingThatIsMissing() {
    assertThat(problems(Map.of()))
        .containsExactly(
            "FAIRWINDS_INSIGHTS_HOST (--insights-host) is required, e.g."
                + " https://insights.fairwinds.com; to use policies from files instead: --from",
            "a token is required: set FAIRWINDS_TOKEN, or FAIRWINDS_TOKEN_FILE (--token-file) to"
                + " a file that contains it",
            "FAIRWINDS_ORG (--organization) is required: the organization name in the API",
            "FAIRWINDS_CLUSTER (--cluster) is required: the cluster name in the API");
  }

  @Test
  void namesEverythingThatIsWrongAtOnce() {
    assertThat(
            problems(
                Map.ofEntries(
                    Map.entry("FAIRWINDS_INSIGHTS_HOST", "insights.example.com"),
                    Map.entry("FAIRWINDS_TOKEN", "s3cret-t0ken"),
                    Map.entry("FAIRWINDS_ORG", "acme"),
                    Map.entry("FAIRWINDS_CLUSTER", "prod-1"),
                    Map.entry("ALLOW_HTTP", "perhaps"),
                    Map.entry("DRY_RUN", "yes"),
                    Map.entry("LOG_LEVEL", "loud"),
                    Map.entry("MAX_REMOVALS", "many"),
                    Map.entry("ADOPT", "sometimes"),
                    Map.entry("LINT", "hard"),
                    Map.entry("ENFORCE_GUARD", "please"),
                    Map.entry("ENFORCE_GUARD_THRESHOLD", "0"),
                    Map.entry("CONVERT", "always"),
                    Map.entry("CONVERT_REHEARSAL", "169h"),
                    Map.entry("CONCURRENCY", "0"),
                    Map.entry("LOCK_WAIT", "long"),
                    Map.entry("TIMEOUT", "4"),
                    Map.entry("START_JITTER", "-1s"))))
        .containsExactly(
            "ALLOW_HTTP is \"perhaps\"; expected true or false",
            "FAIRWINDS_INSIGHTS_HOST (--insights-host) must be a URL, e.g."
                + " https://insights.fairwinds.com",
            "DRY_RUN (--dry-run) is \"yes\"; expected true or false",
            "LOG_LEVEL (--log-level) is \"loud\"; expected debug, info, warn or error",
            "MAX_REMOVALS (--max-removals) is \"many\"; expected a number or a percentage, e.g."
                + " 5 or 20%",
            "ADOPT (--adopt) is \"sometimes\"; expected never, identical or always",
            "LINT (--lint) is \"hard\"; expected off, warn or block",
            "ENFORCE_GUARD (--enforce-guard) is \"please\"; expected one of [off, warn, hold]",
            "ENFORCE_GUARD_THRESHOLD (--enforce-guard-threshold) is \"0\"; expected a number from 1"
                + " to 1000000",
            "CONVERT (--convert) is \"always\"; expected off, preview or apply",
            "CONVERT_REHEARSAL (--convert-rehearsal) is \"169h\"; expected a duration up to 168h, e.g. 1h or 24h",
            "CONCURRENCY (--concurrency) is \"0\"; expected a number from 1 to 32",
            "LOCK_WAIT (--lock-wait) is \"long\"; expected a duration up to 1h, e.g. 90s or 1m30s",
            "TIMEOUT (--timeout) is \"4\"; expected a duration up to 1h, e.g. 90s or 1m30s",
            "START_JITTER (--start-jitter) is \"-1s\"; expected a duration up to 1h, e.g. 90s or"
                + " 1m30s");
  }

  @Test
  void saysAllOfItInItsMessage() {
    var wrong =
        catchThrowableOfType(
            InvalidSettings.class,
            () -> read(with(Map.of("DRY_RUN", "yes", "CONCURRENCY", "many"))));

    assertThat(wrong)
        .hasMessage(
            "DRY_RUN (--dry-run) is \"yes\"; expected true or false; CONCURRENCY (--concurrency) is"
                + " \"many\"; expected a number from 1 to 32");
  }

  @Test
  void readsBooleansAsGoDoes() {
    for (var text : List.of("1", "t", "T", "TRUE", "true", "True")) {
      assertThat(read(with(Map.of("DRY_RUN", text))).writeMode())
          .as(text)
          .isEqualTo(WriteMode.DRY_RUN);
    }
    for (var text : List.of("0", "f", "F", "FALSE", "false", "False")) {
      assertThat(read(with(Map.of("DRY_RUN", text))).writeMode())
          .as(text)
          .isEqualTo(WriteMode.LIVE);
    }
    for (var text : List.of("tRUE", "yes", "on", "2", "y")) {
      assertThat(problems(with(Map.of("DRY_RUN", text)))).as(text).hasSize(1);
    }
  }

  @Test
  void readsDurationsAsGoWritesThem() {
    var durations =
        Map.of(
            "1h", Duration.ofHours(1),
            "4m", Duration.ofMinutes(4),
            "1m30s", Duration.ofSeconds(90),
            "59m60s", Duration.ofHours(1),
            "250ms", Duration.ofMillis(250),
            "0", Duration.ZERO,
            "0s", Duration.ZERO);

    durations.forEach((text, duration) ->
        assertThat(read(with(Map.of("LOCK_WAIT", text))).limits().lockWait())
            .as(text)
            .isEqualTo(duration));
  }

  @Test
  void refusesWhatIsNoDurationOrTooLong() {
    for (var text :
        List.of(
            "65",
            "s",
            "5x",
            "5 s",
            "1.5m",
            "-5s",
            "1m 30s",
            "1h1ms",
            "99999999999999999h",
            "9223372036854775807s",
            "9223372036854775808s")) {
      assertThat(problems(with(Map.of("LOCK_WAIT", text)))).as(text).hasSize(1);
    }
  }

  @Test
  void refusesARunWithoutTime() {
    for (var text : List.of("0", "0s", "0ms")) {
      assertThat(problems(with(Map.of("TIMEOUT", text))))
          .containsExactly("TIMEOUT (--timeout) must be greater than 0");
    }
  }

  @Test
  void refusesAWaitForItsTurnThatMayTakeAllTheTimeThereIs() {
    for (var jitter : List.of("4m", "5m", "240000ms")) {
      assertThat(problems(with(Map.of("START_JITTER", jitter))))
          .as(jitter)
          .containsExactly(
              "START_JITTER (--start-jitter) must be less than TIMEOUT (--timeout), because the"
                  + " start delay counts against it");
    }
    assertThat(problems(with(Map.of("START_JITTER", "4m", "TIMEOUT", "241s")))).isEmpty();
    assertThat(problems(with(Map.of("START_JITTER", "1h", "TIMEOUT", "long")))).hasSize(1);
    assertThat(problems(with(Map.of("START_JITTER", "never", "TIMEOUT", "1ms")))).hasSize(1);
  }

  @Test
  void refusesWhatIsNoNameInKubernetes() {
    assertThat(problems(with(Map.of("NAMESPACE", "..", "POD_NAME", "../a"))))
        .containsExactly(
            "NAMESPACE (--namespace) is \"..\"; expected a namespace name, e.g. policy-sync",
            "POD_NAME is \"../a\"; expected at most 253 letters, digits, hyphens, dots and"
                + " underscores");
  }

  @Test
  void refusesWhatIsNoPath() {
    assertThat(problems(Map.of(Setting.FROM, "a\u0000b"), Map.of()))
        .containsExactly("--from is a value of 3 characters; expected a valid path");
    assertThat(problems(with(Map.of("KUBECONFIG", "/right:a\u0000b")))).hasSize(1);
    assertThat(problems(with(Map.of("OUTPUT_FILE", "\u0000")))).hasSize(1);
  }

  @Test
  void readsABudgetAsNumberOrPercentage() {
    Function<String, RemovalBudget> budget =
        text -> read(with(Map.of("MAX_REMOVALS", text))).guards().maxRemovals();

    assertThat(budget.apply("0")).isEqualTo(new RemovalBudget.Count(0));
    assertThat(budget.apply("12")).isEqualTo(new RemovalBudget.Count(12));
    assertThat(budget.apply("0%")).isEqualTo(new RemovalBudget.Share(0));
    assertThat(budget.apply("100 %")).isEqualTo(new RemovalBudget.Share(100));
    for (var text : List.of("-1", "101%", "-1%", "%", "20.5%", "3000000000")) {
      assertThat(problems(with(Map.of("MAX_REMOVALS", text)))).as(text).hasSize(1);
    }
  }

  @Test
  void readsACountOfWritersWithinReason() {
    assertThat(read(with(Map.of("CONCURRENCY", "1"))).limits().concurrency()).isEqualTo(1);
    for (var text : List.of("0", "33", "-1", "1.5", "four")) {
      assertThat(problems(with(Map.of("CONCURRENCY", text)))).as(text).hasSize(1);
    }
  }

  @Test
  void readsChoicesInAnyCase() {
    assertThat(read(with(Map.of("ADOPT", "Never"))).guards().adoption()).isEqualTo(Adoption.NEVER);
    assertThat(read(with(Map.of("LOG_LEVEL", "WARN"))).output().logLevel()).contains(LogLevel.WARN);
    assertThat(read(with(Map.of("LINT", "Block"))).guards().lint()).isEqualTo(LintMode.BLOCK);
  }

  @Test
  void needsNoApiWhereFilesTakeItsPlace() {
    var settings =
        SettingsReader.read(Map.of(Setting.FROM, "policies"), Map.of(), PinnedSettings.NONE);

    assertThat(settings.api()).isEmpty();
    assertThat(settings.from()).contains("policies");
    assertThat(settings.source()).isEqualTo(SourceName.LOCAL);
  }

  @Test
  void signsPoliciesFromFilesWithTheSourceItIsGiven() {
    var settings =
        SettingsReader.read(
            Map.of(Setting.FROM, "-", Setting.ORGANIZATION, "acme", Setting.CLUSTER, "prod-1"),
            Map.of(),
            PinnedSettings.NONE);

    assertThat(settings.source()).isEqualTo(SourceName.of("acme", "prod-1"));
  }

  @Test
  void refusesHalfASource() {
    assertThat(problems(Map.of(Setting.FROM, "-"), Map.of("FAIRWINDS_ORG", "acme")))
        .containsExactly(
            "FAIRWINDS_ORG (--organization) and FAIRWINDS_CLUSTER (--cluster) must be set"
                + " together");
  }

  @Test
  void refusesWrongSettingsAlsoWhereFilesTakeThePlaceOfTheApi() {
    assertThat(problems(Map.of(Setting.FROM, "-"), Map.of("ALLOW_HTTP", "x", "DRY_RUN", "x")))
        .containsExactlyInAnyOrder(
            "ALLOW_HTTP is \"x\"; expected true or false",
            "DRY_RUN (--dry-run) is \"x\"; expected true or false");
  }

  @Test
  void acceptsWhatTheAgentBeforeItKnew() {
    var environment = with(Map.of("VALIDATE_POLICIES", "anything", "LOCK_TIMEOUT", "anything"));

    assertThat(problems(environment)).isEmpty();
    assertThat(SettingsReader.ignored(environment))
        .containsExactly("VALIDATE_POLICIES", "LOCK_TIMEOUT");
    assertThat(SettingsReader.ignored(REQUIRED)).isEmpty();
  }

  @Test
  void changesOnlyTheModeForADryRun() {
    var settings = read(REQUIRED);

    assertThat(settings.dryRun())
        .usingRecursiveComparison()
        .ignoringFields("writeMode")
        .isEqualTo(settings);
    assertThat(settings.dryRun().writeMode()).isEqualTo(WriteMode.DRY_RUN);
  }

  private static Settings read(Map<String, String> environment) {
    return SettingsReader.read(Map.of(), environment, PinnedSettings.NONE);
  }

  private static Map<String, String> with(Map<String, String> more) {
    var environment = new HashMap<>(REQUIRED);
    environment.putAll(more);
    return environment;
  }

  private static List<String> problems(Map<String, String> environment) {
    return problems(Map.of(), environment);
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
