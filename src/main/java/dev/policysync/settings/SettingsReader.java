package dev.policysync.settings;

import dev.policysync.http.Secret;
import dev.policysync.plan.Adoption;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.plan.SourceName;
import dev.policysync.sync.Mode;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Reads flags, environment and defaults, and finds every problem before it complains.
public final class SettingsReader {
  /// Settings of the Go agent that its chart sets and nothing needs any more.
  private static final List<String> IGNORED = List.of("VALIDATE_POLICIES", "LOCK_TIMEOUT");

  /// An address, not a name that begins like one.
  private static final Pattern LOOPBACK_ADDRESS =
      Pattern.compile("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");

  private static final int MOST_CONCURRENT = 32;
  private static final Duration LONGEST_RUN = Duration.ofHours(1);

  private final Map<Setting, String> flags;
  private final Map<String, String> environment;
  private final List<String> problems = new ArrayList<>();

  private SettingsReader(Map<Setting, String> flags, Map<String, String> environment) {
    this.flags = flags;
    this.environment = environment;
  }

  /// The settings of a run.
  ///
  /// @throws WrongSettings with all problems
  public static Settings read(Map<Setting, String> flags, Map<String, String> environment) {
    return new SettingsReader(flags, environment).settings();
  }

  /// The set variables that are accepted for the Go agent's sake and have no effect.
  public static List<String> ignored(Map<String, String> environment) {
    return IGNORED.stream().filter(environment::containsKey).toList();
  }

  private Settings settings() {
    var from = text(Setting.FROM);
    var allowHttp = value(Setting.ALLOW_HTTP, SettingsReader::flag, false, "true or false");
    var api = from.isPresent() ? Optional.<Api>empty() : api(allowHttp);
    refuseWhatIsMissing();
    var settings =
        new Settings(
            api,
            from,
            source(from.isPresent()),
            value(Setting.DRY_RUN, SettingsReader::flag, false, "true or false")
                ? Mode.DRY_RUN
                : Mode.LIVE,
            logLevel(),
            value(
                Setting.MAX_REMOVALS,
                SettingsReader::budget,
                RemovalBudget.DEFAULT,
                "a number or a percentage, such as 5 or 20%"),
            value(Setting.ADOPT, SettingsReader::adoption, Adoption.NEVER, "never or always"),
            value(
                Setting.CONCURRENCY,
                SettingsReader::concurrency,
                1,
                "a number from 1 to " + MOST_CONCURRENT),
            duration(Setting.LOCK_WAIT),
            duration(Setting.TIMEOUT),
            duration(Setting.START_JITTER),
            text(Setting.NAMESPACE),
            text(Setting.POD_NAME),
            text(Setting.KUBECONFIG),
            text(Setting.CONTEXT));
    if (settings.timeout().isZero()) {
      problems.add(Setting.TIMEOUT.label() + " is 0, which leaves no time for anything");
    }
    if (!problems.isEmpty()) {
      throw new WrongSettings(problems);
    }
    return settings;
  }

  private Optional<Api> api(boolean allowHttp) {
    var host = host(allowHttp);
    var token = token();
    var organization = required(Setting.ORGANIZATION, "the organization's name in the API");
    var cluster = required(Setting.CLUSTER, "this cluster's name in the API");
    token.ifPresent(this::refuseElsewhere);
    return host.isPresent() && token.isPresent() && organization.isPresent() && cluster.isPresent()
        ? Optional.of(new Api(host.get(), token.get(), organization.get(), cluster.get()))
        : Optional.empty();
  }

  private Optional<URI> host(boolean allowHttp) {
    var text = required(Setting.INSIGHTS_HOST, "such as https://insights.fairwinds.com");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      var host = new URI(text.get());
      var scheme = Optional.ofNullable(host.getScheme()).orElse("").toLowerCase(Locale.ROOT);
      if (host.getHost() == null || !(scheme.equals("https") || scheme.equals("http"))) {
        problems.add(
            Setting.INSIGHTS_HOST.label() + " is no URL such as https://insights.fairwinds.com");
        return Optional.empty();
      }
      if (host.getUserInfo() != null || host.getQuery() != null || host.getFragment() != null) {
        problems.add(
            Setting.INSIGHTS_HOST.label() + " has more in it than scheme, host, port and path");
        return Optional.empty();
      }
      if (scheme.equals("http") && !loopback(host.getHost()) && !allowHttp) {
        problems.add(
            Setting.INSIGHTS_HOST.label()
                + " is plain http, which shows the token to everyone on the way; use https, or set"
                + " ALLOW_HTTP=true");
      }
      return Optional.of(host);
    } catch (URISyntaxException e) {
      problems.add(
          Setting.INSIGHTS_HOST.label() + " is no URL such as https://insights.fairwinds.com");
      return Optional.empty();
    }
  }

  private static boolean loopback(String host) {
    return host.equalsIgnoreCase("localhost")
        || LOOPBACK_ADDRESS.matcher(host).matches()
        || host.equals("[::1]");
  }

  private Optional<Secret> token() {
    var file = text(Setting.TOKEN_FILE);
    var text = file.isPresent() ? contents(file.get()) : text(Setting.TOKEN);
    if (text.isEmpty()) {
      // What was given is not shown: it may be the token itself.
      problems.add(
          file.isPresent()
              ? Setting.TOKEN_FILE.label() + " names no file that can be read"
              : "no token: set "
                  + Setting.TOKEN.label()
                  + ", or "
                  + Setting.TOKEN_FILE.label()
                  + " to a file that holds it");
      return Optional.empty();
    }
    try {
      return Optional.of(Secret.of(text.get()));
    } catch (IllegalArgumentException e) {
      var setting = file.isPresent() ? Setting.TOKEN_FILE : Setting.TOKEN;
      problems.add("the token in " + setting.label() + " " + e.getMessage());
      return Optional.empty();
    }
  }

  /// Names, addresses and paths are shown in messages and sent to others.
  private void refuseElsewhere(Secret token) {
    for (var setting : Setting.all()) {
      if (setting != Setting.TOKEN && token.standsIn(text(setting).orElse(""))) {
        problems.add(setting.label() + " holds the token, which belongs nowhere else");
      }
    }
    for (var variable :
        List.of("SSL_CERT_FILE", "KUBERNETES_SERVICE_HOST", "NO_PROXY", "no_proxy")) {
      if (token.standsIn(environment.getOrDefault(variable, ""))) {
        problems.add(variable + " holds the token, which belongs nowhere else");
      }
    }
  }

  private static Optional<String> contents(String file) {
    try {
      return Optional.of(Files.readString(Path.of(file)));
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
  }

  private SourceName source(boolean files) {
    var organization = text(Setting.ORGANIZATION);
    var cluster = text(Setting.CLUSTER);
    if (organization.isPresent() && cluster.isPresent()) {
      return SourceName.of(organization.get(), cluster.get());
    }
    if (files && organization.isPresent() != cluster.isPresent()) {
      problems.add(
          Setting.ORGANIZATION.label()
              + " and "
              + Setting.CLUSTER.label()
              + " belong together: set both or none");
    }
    return SourceName.LOCAL;
  }

  /// A guard that this version does not have must never be believed to be on.
  private void refuseWhatIsMissing() {
    refuse(Setting.LINT, "block");
    refuse(Setting.ENFORCE_GUARD, "hold");
    oneOf(Setting.LINT, List.of("off", "warn", "block"));
    oneOf(Setting.ENFORCE_GUARD, List.of("off", "warn", "hold"));
  }

  private void refuse(Setting setting, String value) {
    if (text(setting).filter(value::equalsIgnoreCase).isPresent()) {
      problems.add(setting.label() + "=" + value + " is not available in this version yet");
    }
  }

  private void oneOf(Setting setting, List<String> values) {
    var text = text(setting).orElse("").toLowerCase(Locale.ROOT);
    if (!values.contains(text)) {
      problems.add(setting.label() + " is " + Shown.of(text) + "; expected one of " + values);
    }
  }

  private Optional<LogLevel> logLevel() {
    if (!given(Setting.LOG_LEVEL)) {
      return Optional.empty();
    }
    return Optional.of(
        value(
            Setting.LOG_LEVEL,
            text -> LogLevel.valueOf(text.toUpperCase(Locale.ROOT)),
            LogLevel.INFO,
            "debug, info, warn or error"));
  }

  private Duration duration(Setting setting) {
    return value(
        setting,
        SettingsReader::time,
        Duration.ofSeconds(1),
        "a time up to 1h, such as 90s or 1m30s");
  }

  private Optional<String> required(Setting setting, String example) {
    var text = text(setting);
    if (text.isEmpty()) {
      problems.add(setting.label() + " is not set: " + example);
    }
    return text;
  }

  private <T> T value(Setting setting, Function<String, T> parse, T otherwise, String expected) {
    var text = text(setting);
    try {
      return text.map(parse).orElse(otherwise);
    } catch (IllegalArgumentException e) {
      problems.add(setting.label() + " is " + Shown.of(text.orElse("")) + "; expected " + expected);
      return otherwise;
    }
  }

  private boolean given(Setting setting) {
    return flags.containsKey(setting)
        || setting.env().map(environment::get).filter(text -> !text.isBlank()).isPresent();
  }

  private Optional<String> text(Setting setting) {
    var flag = Optional.ofNullable(flags.get(setting));
    return flag.or(() -> setting.env().map(environment::get))
        .map(String::strip)
        .filter(text -> !text.isEmpty())
        .or(() -> Optional.of(setting.fallback()).filter(text -> !text.isEmpty()));
  }

  /// The spellings of Go's `strconv.ParseBool`, as the Go agent reads them.
  private static boolean flag(String text) {
    return switch (text) {
      case "1", "t", "T", "TRUE", "true", "True" -> true;
      case "0", "f", "F", "FALSE", "false", "False" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static RemovalBudget budget(String text) {
    return text.endsWith("%")
        ? new RemovalBudget.Share(Integer.parseInt(text.substring(0, text.length() - 1).strip()))
        : new RemovalBudget.Count(Integer.parseInt(text));
  }

  private static Adoption adoption(String text) {
    return Adoption.valueOf(text.toUpperCase(Locale.ROOT));
  }

  private static Duration time(String text) {
    var time = GoDuration.parse(text);
    if (time.compareTo(LONGEST_RUN) > 0) {
      throw new IllegalArgumentException(text);
    }
    return time;
  }

  private static int concurrency(String text) {
    var number = Integer.parseInt(text);
    if (number < 1 || number > MOST_CONCURRENT) {
      throw new IllegalArgumentException(text);
    }
    return number;
  }
}
