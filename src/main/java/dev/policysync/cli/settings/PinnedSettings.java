package dev.policysync.cli.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Settings that a mounted file fixes, because a Job on demand may have any environment (the remote
/// API's job runner copies the CronJob's template and overrides variables in it):
///
/// ```
/// # where the token goes
/// FAIRWINDS_INSIGHTS_HOST=https://insights.example.com
/// MAX_REMOVALS=20%
/// ```
///
/// A pinned setting need not be set anywhere else. A variable or flag with another value is an
/// error: it requests what the cluster's owner does not allow. A setting that is pinned to an empty
/// value must not be set at all.
///
/// The file may also pin other variables that decide where the token is sent: the proxies and the
/// certificates that TLS trusts.
public final class PinnedSettings {
  /// The system property with the path of the file, for tests and unusual pods.
  public static final String FILE_PROPERTY = "policysync.pinned";

  /// Variables that are not settings, and may be pinned as well.
  private static final Set<String> OTHERS =
      Stream.concat(
              JvmOptions.VARIABLES.stream(),
              Stream.of("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "SSL_CERT_FILE"))
          .collect(Collectors.toUnmodifiableSet());

  private static final Path MOUNT = Path.of("/etc/policy-sync/settings/pinned");

  /// No pinned settings.
  public static final PinnedSettings NONE = new PinnedSettings(Map.of(), List.of());

  private final Map<String, String> values;
  private final List<String> problems;

  private PinnedSettings(Map<String, String> values, List<String> problems) {
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    this.problems = List.copyOf(problems);
  }

  /// Reads the pinned settings of this process; if no file is mounted, nothing is pinned.
  public static PinnedSettings mounted() {
    return in(Path.of(System.getProperty(FILE_PROPERTY, MOUNT.toString())));
  }

  static PinnedSettings in(Path file) {
    if (!Files.exists(file)) {
      return NONE;
    }
    var values = new LinkedHashMap<String, String>();
    var problems = new ArrayList<String>();
    try {
      var number = 0;
      for (var line : Files.readAllLines(file)) {
        number++;
        var text = line.strip();
        if (text.isEmpty() || text.startsWith("#")) {
          continue;
        }
        var end = Math.max(text.indexOf('='), 0);
        var name = text.substring(0, end).strip();
        if (setting(name).isPresent() || OTHERS.contains(name)) {
          values.put(name, text.substring(end + 1).strip());
        } else {
          // A misspelt name would pin nothing without notice.
          problems.add(
              "line "
                  + number
                  + " of "
                  + file
                  + " is invalid; expected NAME=value with the name of an environment variable");
        }
      }
    } catch (IOException e) {
      problems.add("the pinned settings in " + file + " cannot be read");
    }
    return new PinnedSettings(values, problems);
  }

  /// Returns the environment, overridden by the pinned settings.
  public Map<String, String> over(Map<String, String> environment) {
    var pinned = new LinkedHashMap<>(environment);
    pinned.putAll(values);
    return Map.copyOf(pinned);
  }

  /// Returns the errors in the file, and the variables and flags that contradict it. The messages
  /// show no values, because one may be a token.
  List<String> problems(Map<Setting, String> flags, Map<String, String> environment) {
    var all = new ArrayList<>(problems);
    values.forEach((name, value) -> {
      spellings(name)
          .filter(spelling -> contradicts(environment.getOrDefault(spelling, ""), value))
          .forEach(
              spelling -> all.add(spelling + " is pinned, but the environment sets another value"));
      setting(name)
          .filter(setting -> flags.containsKey(setting) && !value.equals(flags.get(setting)))
          .ifPresent(setting ->
              all.add(
                  name + " is pinned, but " + setting.flag().orElse("") + " sets another value"));
    });
    return all;
  }

  private static boolean contradicts(String variable, String pinned) {
    return !variable.isBlank() && !variable.strip().equals(pinned);
  }

  /// Returns the names under which the variable is read. A proxy variable is also read in lower
  /// case, which takes precedence.
  private static Stream<String> spellings(String name) {
    return name.endsWith("_PROXY")
        ? Stream.of(name, name.toLowerCase(Locale.ROOT))
        : Stream.of(name);
  }

  private static Optional<Setting> setting(String name) {
    return Setting.all().stream()
        .filter(setting -> setting.env().filter(name::equals).isPresent())
        .findFirst();
  }
}
