package dev.policysync.cli.settings;

import dev.policysync.lint.LintMode;
import dev.policysync.plan.Adoption;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ApprovedFeed;
import dev.policysync.report.ReportResult;
import dev.policysync.report.UploadContent;
import dev.policysync.sync.execution.WriteMode;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reads the settings from flags, environment, pinned settings and defaults, and reports all
/// problems at once.
public final class SettingsReader {
  /// Settings of the Go agent that its chart sets and that have no effect here.
  private static final List<String> IGNORED = List.of("VALIDATE_POLICIES", "LOCK_TIMEOUT");

  private static final int MOST_CONCURRENT = 32;
  private static final int MOST_WORKLOADS = 1_000_000;
  private static final Duration LONGEST_RUN = Duration.ofHours(1);

  /// A namespace name, as Kubernetes accepts it: an RFC 1123 label.
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  /// A pod name, or the name that a person gives a process outside a pod.
  private static final Pattern POD_NAME = Pattern.compile("[A-Za-z0-9]([-._A-Za-z0-9]{0,252})");

  /// A user name that an HTTP header can carry.
  private static final Pattern USER = Pattern.compile("[!-~]{1,253}");

  /// A chart version that an HTTP header can carry.
  private static final Pattern CHART_VERSION = Pattern.compile("[!-~]{1,100}");

  private final RawSettings rawSettings;

  private SettingsReader(RawSettings rawSettings) {
    this.rawSettings = rawSettings;
  }

  /// Reads the settings of a run.
  ///
  /// @throws InvalidSettings with all problems
  public static Settings read(
      Map<Setting, String> flags, Map<String, String> environment, PinnedSettings pinned) {
    return reader(flags, environment, pinned).settings(true);
  }

  /// Reads the settings of a command that does not use the API. Settings of the API are ignored,
  /// even invalid ones.
  ///
  /// @throws InvalidSettings with all problems
  public static Settings readWithoutApi(
      Map<Setting, String> flags, Map<String, String> environment, PinnedSettings pinned) {
    return reader(flags, environment, pinned).settings(false);
  }

  private static SettingsReader reader(
      Map<Setting, String> flags, Map<String, String> environment, PinnedSettings pinned) {
    var rawSettings = new RawSettings(flags, pinned.over(environment));
    pinned.problems(flags, environment).forEach(rawSettings::problem);
    return new SettingsReader(rawSettings);
  }

  /// Returns the variables of the Go agent that are set and have no effect.
  public static List<String> ignored(Map<String, String> environment) {
    return IGNORED.stream().filter(environment::containsKey).toList();
  }

  private Settings settings(boolean withApi) {
    JvmOptions.check(rawSettings);
    var files = rawSettings.text(Setting.FROM).isPresent();
    var from = paths(Setting.FROM, "");
    var allowHttp = rawSettings.flag(Setting.ALLOW_HTTP);
    var api =
        files || !withApi
            ? Optional.<ApiSettings>empty()
            : new ApiSettingsReader(rawSettings).api(allowHttp);
    var settings =
        new Settings(
            source(files),
            api,
            from,
            rawSettings.flag(Setting.DRY_RUN) ? WriteMode.DRY_RUN : WriteMode.LIVE,
            output(),
            guards(),
            new ConversionSettingsReader(rawSettings).read(),
            limits(),
            cluster(),
            new MetricsSettingsReader(rawSettings).read(allowHttp),
            reporting());
    judgeTimes(settings.limits());
    if (!rawSettings.problems().isEmpty()) {
      throw new InvalidSettings(rawSettings.problems());
    }
    return settings;
  }

  /// Checks the timeout and the start delay, which counts against the timeout.
  private void judgeTimes(Settings.Limits limits) {
    if (limits.timeout().isZero()) {
      rawSettings.problem(Setting.TIMEOUT.label() + " must be greater than 0");
    } else if (limits.startJitter().compareTo(limits.timeout()) >= 0) {
      rawSettings.problem(
          Setting.START_JITTER.label()
              + " must be less than "
              + Setting.TIMEOUT.label()
              + ", because the start delay counts against it");
    }
  }

  private Settings.Output output() {
    return new Settings.Output(
        logLevel(),
        rawSettings.optional(
            Setting.SUMMARY_FILE,
            SettingsReader::summaryFile,
            "the path of a file whose name ends with .json"));
  }

  private Settings.Guards guards() {
    return new Settings.Guards(
        rawSettings.value(
            Setting.MAX_REMOVALS,
            SettingsReader::budget,
            "a number or a percentage, e.g. 5 or 20%"),
        rawSettings.value(Setting.ADOPT, SettingsReader::adoption, "never, identical or always"),
        rawSettings
            .optional(
                Setting.EXCLUDE_KINDS,
                SettingsReader::kinds,
                "kinds of policies separated by commas, e.g."
                    + " ValidatingAdmissionPolicy,PolicyException.kyverno.io")
            .orElse(Set.of()),
        rawSettings.optional(
            Setting.APPROVED_FEED,
            ApprovedFeed::parse,
            "a digest or empty and a time, e.g. sha256:2c26…@2026-12-01T00:00Z"),
        rawSettings.value(Setting.LINT, SettingsReader::lint, "off, warn or block"),
        new EnforceGuard(
            rawSettings.value(
                Setting.ENFORCE_GUARD,
                text -> EnforceGuard.Mode.valueOf(text.toUpperCase(Locale.ROOT)),
                "one of [off, warn, hold]"),
            rawSettings.value(
                Setting.ENFORCE_GUARD_THRESHOLD,
                SettingsReader::threshold,
                "a number from 1 to " + MOST_WORKLOADS)));
  }

  private Settings.Limits limits() {
    return new Settings.Limits(
        rawSettings.value(
            Setting.CONCURRENCY,
            SettingsReader::concurrency,
            "a number from 1 to " + MOST_CONCURRENT),
        duration(Setting.LOCK_WAIT).orElse(Duration.ZERO),
        duration(Setting.TIMEOUT).orElse(LONGEST_RUN.plusSeconds(1)),
        duration(Setting.START_JITTER).orElse(Duration.ZERO));
  }

  private Settings.Cluster cluster() {
    return new Settings.Cluster(
        matching(Setting.NAMESPACE, NAMESPACE, "a namespace name, e.g. policy-sync"),
        matching(
            Setting.POD_NAME,
            POD_NAME,
            "at most 253 letters, digits, hyphens, dots and underscores"),
        paths(Setting.KUBECONFIG, File.pathSeparator),
        rawSettings.text(Setting.CONTEXT),
        matching(
            Setting.IMPERSONATE,
            USER,
            "a user name, e.g. system:serviceaccount:policy-sync:policy-sync"));
  }

  private Settings.Reporting reporting() {
    return new Settings.Reporting(
        paths(Setting.OUTPUT_FILE, ""),
        rawSettings.flag(Setting.SEND_FAILURES),
        new UploadContent(
            rawSettings.value(
                Setting.REPORT_RESULTS, SettingsReader::results, "fail,warn or fail,warn,error"),
            rawSettings.value(Setting.REPORT_TITLES, SettingsReader::titles, "cluster or all")),
        matching(
                Setting.AGENT_CHART_VERSION,
                CHART_VERSION,
                "at most 100 printable ASCII characters without spaces")
            .orElse(""));
  }

  private SourceName source(boolean files) {
    var organization = rawSettings.text(Setting.ORGANIZATION);
    var cluster = rawSettings.text(Setting.CLUSTER);
    if (files) {
      new ApiSettingsReader(rawSettings).judgeNames();
    }
    if (organization.isPresent() && cluster.isPresent()) {
      return SourceName.of(organization.get(), cluster.get());
    }
    if (files && organization.isPresent() != cluster.isPresent()) {
      rawSettings.problem(
          Setting.ORGANIZATION.label()
              + " and "
              + Setting.CLUSTER.label()
              + " must be set together");
    }
    return SourceName.LOCAL;
  }

  private Optional<LogLevel> logLevel() {
    if (!rawSettings.given(Setting.LOG_LEVEL)) {
      return Optional.empty();
    }
    return Optional.of(
        rawSettings.value(
            Setting.LOG_LEVEL,
            text -> LogLevel.valueOf(text.toUpperCase(Locale.ROOT)),
            "debug, info, warn or error"));
  }

  /// Returns the duration; empty if it is invalid.
  private Optional<Duration> duration(Setting setting) {
    return rawSettings.optional(
        setting, SettingsReader::time, "a duration up to 1h, e.g. 90s or 1m30s");
  }

  private Optional<String> matching(Setting setting, Pattern right, String expected) {
    return rawSettings.optional(
        setting,
        text -> {
          if (!right.matcher(text).matches()) {
            throw new IllegalArgumentException(text);
          }
          return text;
        },
        expected);
  }

  /// @param separator the separator between paths; empty if the setting has only one path
  private Optional<String> paths(Setting setting, String separator) {
    return rawSettings.optional(
        setting,
        text -> {
          for (var path :
              separator.isEmpty() ? List.of(text) : List.of(text.split(separator, -1))) {
            var _ = Path.of(path); // throws InvalidPathException
          }
          return text;
        },
        "a valid path");
  }

  /// Requires the extension `.json`, so that a mistaken path does not overwrite another file.
  private static String summaryFile(String text) {
    if (!Path.of(text).toString().endsWith(".json")) {
      throw new IllegalArgumentException(text);
    }
    return text;
  }

  private static RemovalBudget budget(String text) {
    return text.endsWith("%")
        ? new RemovalBudget.Share(Integer.parseInt(text.substring(0, text.length() - 1).strip()))
        : new RemovalBudget.Count(Integer.parseInt(text));
  }

  private static Adoption adoption(String text) {
    return Adoption.valueOf(text.toUpperCase(Locale.ROOT));
  }

  private static Set<PolicyKind> kinds(String text) {
    return Stream.of(text.split(",", -1))
        .map(name -> kind(name.strip()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /// Returns the kind of this name. The name includes the group if two groups have a kind of the
  /// name.
  private static PolicyKind kind(String name) {
    return PolicyKind.all().stream()
        .filter(kind -> name.equals(kind.label()) || name.equals(kind.qualified()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name));
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

  /// Returns the results that are sent. Those of fail and warn must always be sent: the API would
  /// count missing ones as fixed.
  private static Set<ReportResult> results(String text) {
    var results = Set.of(text.toLowerCase(Locale.ROOT).split("\\s*,\\s*", 4));
    if (results.equals(Set.of("fail", "warn"))) {
      return EnumSet.of(ReportResult.FAIL, ReportResult.WARN);
    }
    if (results.equals(Set.of("fail", "warn", "error"))) {
      return EnumSet.of(ReportResult.FAIL, ReportResult.WARN, ReportResult.ERROR);
    }
    throw new IllegalArgumentException(text);
  }

  private static UploadContent.Titles titles(String text) {
    return UploadContent.Titles.valueOf(text.toUpperCase(Locale.ROOT));
  }

  private static int concurrency(String text) {
    var number = Integer.parseInt(text);
    if (number < 1 || number > MOST_CONCURRENT) {
      throw new IllegalArgumentException(text);
    }
    return number;
  }
}
