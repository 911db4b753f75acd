package dev.policysync.settings;

import dev.policysync.lint.LintMode;
import dev.policysync.plan.Adoption;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.plan.SourceName;
import dev.policysync.sync.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Reads flags, environment, pinned settings and defaults, and finds every problem before it
/// complains.
public final class SettingsReader {
  /// Settings of the Go agent that its chart sets and nothing needs any more.
  private static final List<String> IGNORED = List.of("VALIDATE_POLICIES", "LOCK_TIMEOUT");

  private static final int MOST_CONCURRENT = 32;
  private static final int MOST_WORKLOADS = 1_000_000;
  private static final Duration LONGEST_RUN = Duration.ofHours(1);

  private final Given given;

  private SettingsReader(Given given) {
    this.given = given;
  }

  /// The settings of a run.
  ///
  /// @throws WrongSettings with all problems
  public static Settings read(
      Map<Setting, String> flags, Map<String, String> environment, PinnedSettings pinned) {
    return reader(flags, environment, pinned).settings(true);
  }

  /// The settings of a command that has no use for the API: nothing that is set for the API is
  /// looked at, right or wrong.
  ///
  /// @throws WrongSettings with all problems
  public static Settings readWithoutApi(
      Map<Setting, String> flags, Map<String, String> environment, PinnedSettings pinned) {
    return reader(flags, environment, pinned).settings(false);
  }

  private static SettingsReader reader(
      Map<Setting, String> flags, Map<String, String> environment, PinnedSettings pinned) {
    var given = new Given(flags, pinned.over(environment));
    pinned.problems(flags, environment).forEach(given::problem);
    return new SettingsReader(given);
  }

  /// The set variables that are accepted for the Go agent's sake and have no effect.
  public static List<String> ignored(Map<String, String> environment) {
    return IGNORED.stream().filter(environment::containsKey).toList();
  }

  private Settings settings(boolean withApi) {
    JvmOptions.check(given);
    var from = given.text(Setting.FROM);
    var allowHttp = given.flag(Setting.ALLOW_HTTP);
    var api =
        from.isPresent() || !withApi ? Optional.<Api>empty() : new ApiReader(given).api(allowHttp);
    var settings =
        new Settings(
            api,
            from,
            source(from.isPresent()),
            given.flag(Setting.DRY_RUN) ? Mode.DRY_RUN : Mode.LIVE,
            logLevel(),
            given.value(
                Setting.MAX_REMOVALS,
                SettingsReader::budget,
                RemovalBudget.DEFAULT,
                "a number or a percentage, such as 5 or 20%"),
            given.value(Setting.ADOPT, SettingsReader::adoption, Adoption.NEVER, "never or always"),
            given.value(Setting.LINT, SettingsReader::lint, LintMode.WARN, "off, warn or block"),
            enforceGuard(),
            given.value(
                Setting.CONCURRENCY,
                SettingsReader::concurrency,
                1,
                "a number from 1 to " + MOST_CONCURRENT),
            duration(Setting.LOCK_WAIT),
            duration(Setting.TIMEOUT),
            duration(Setting.START_JITTER),
            given.text(Setting.NAMESPACE),
            given.text(Setting.POD_NAME),
            given.text(Setting.KUBECONFIG),
            given.text(Setting.CONTEXT),
            new Settings.Reporting(
                given.text(Setting.OUTPUT_FILE),
                given.flag(Setting.SEND_FAILURES),
                given.text(Setting.AGENT_CHART_VERSION).orElse("")));
    if (settings.timeout().isZero()) {
      given.problem(Setting.TIMEOUT.label() + " is 0, which leaves no time for anything");
    }
    if (!given.problems().isEmpty()) {
      throw new WrongSettings(given.problems());
    }
    return settings;
  }

  private EnforceGuard enforceGuard() {
    return new EnforceGuard(
        given.value(
            Setting.ENFORCE_GUARD,
            text -> EnforceGuard.Mode.valueOf(text.toUpperCase(Locale.ROOT)),
            EnforceGuard.Mode.WARN,
            "one of [off, warn, hold]"),
        given.value(
            Setting.ENFORCE_GUARD_THRESHOLD,
            SettingsReader::threshold,
            1,
            "a number from 1 to " + MOST_WORKLOADS));
  }

  private SourceName source(boolean files) {
    var organization = given.text(Setting.ORGANIZATION);
    var cluster = given.text(Setting.CLUSTER);
    if (organization.isPresent() && cluster.isPresent()) {
      return SourceName.of(organization.get(), cluster.get());
    }
    if (files && organization.isPresent() != cluster.isPresent()) {
      given.problem(
          Setting.ORGANIZATION.label()
              + " and "
              + Setting.CLUSTER.label()
              + " belong together: set both or none");
    }
    return SourceName.LOCAL;
  }

  private Optional<LogLevel> logLevel() {
    if (!given.given(Setting.LOG_LEVEL)) {
      return Optional.empty();
    }
    return Optional.of(
        given.value(
            Setting.LOG_LEVEL,
            text -> LogLevel.valueOf(text.toUpperCase(Locale.ROOT)),
            LogLevel.INFO,
            "debug, info, warn or error"));
  }

  private Duration duration(Setting setting) {
    return given.value(
        setting,
        SettingsReader::time,
        Duration.ofSeconds(1),
        "a time up to 1h, such as 90s or 1m30s");
  }

  private static RemovalBudget budget(String text) {
    return text.endsWith("%")
        ? new RemovalBudget.Share(Integer.parseInt(text.substring(0, text.length() - 1).strip()))
        : new RemovalBudget.Count(Integer.parseInt(text));
  }

  private static Adoption adoption(String text) {
    return Adoption.valueOf(text.toUpperCase(Locale.ROOT));
  }

  private static LintMode lint(String text) {
    return LintMode.valueOf(text.toUpperCase(Locale.ROOT));
  }

  private static Duration time(String text) {
    var time = GoDuration.parse(text);
    if (time.compareTo(LONGEST_RUN) > 0) {
      throw new IllegalArgumentException(text);
    }
    return time;
  }

  private static int threshold(String text) {
    var number = Integer.parseInt(text);
    if (number < 1 || number > MOST_WORKLOADS) {
      throw new IllegalArgumentException(text);
    }
    return number;
  }

  private static int concurrency(String text) {
    var number = Integer.parseInt(text);
    if (number < 1 || number > MOST_CONCURRENT) {
      throw new IllegalArgumentException(text);
    }
    return number;
  }
}
