package dev.policysync.cli.settings;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The valid part of the settings, for commands that report more than the first error.
///
/// A value that contradicts a pinned setting, or an option that loads code into Java, makes every
/// part invalid: the token must not be sent where the cluster's owner does not allow it.
///
/// @param problems all problems
/// @param whole all settings; empty if there is any problem
/// @param api the settings of the API, or of the files in its place; empty if one is invalid
/// @param cluster the settings of the connection to the cluster; empty if one is invalid
public record PartialSettings(
    List<String> problems,
    Optional<Settings> whole,
    Optional<Settings> api,
    Optional<Settings> cluster) {
  private static final Set<Setting> FOR_API =
      EnumSet.of(
          Setting.INSIGHTS_HOST,
          Setting.TOKEN,
          Setting.TOKEN_FILE,
          Setting.ORGANIZATION,
          Setting.CLUSTER,
          Setting.ALLOW_HTTP,
          Setting.ALLOW_JVM_OPTIONS,
          Setting.FROM);

  private static final Set<Setting> FOR_CLUSTER =
      EnumSet.of(
          Setting.KUBECONFIG,
          Setting.CONTEXT,
          Setting.IMPERSONATE,
          Setting.NAMESPACE,
          Setting.ALLOW_JVM_OPTIONS);

  public PartialSettings {
    problems = List.copyOf(problems);
  }

  public static PartialSettings read(
      Map<Setting, String> flags, Map<String, String> environment, PinnedSettings pinned) {
    try {
      var whole = Optional.of(SettingsReader.read(flags, environment, pinned));
      return new PartialSettings(List.of(), whole, whole, whole);
    } catch (InvalidSettings e) {
      return new PartialSettings(
          e.problems(),
          Optional.empty(),
          part(() ->
              SettingsReader.read(only(FOR_API, flags), onlyOf(FOR_API, environment), pinned)),
          part(() ->
              SettingsReader.readWithoutApi(
                  only(FOR_CLUSTER, flags), onlyOf(FOR_CLUSTER, environment), pinned)));
    }
  }

  private interface Reading {
    Settings read();
  }

  private static Optional<Settings> part(Reading reading) {
    try {
      return Optional.of(reading.read());
    } catch (InvalidSettings e) {
      return Optional.empty(); // reading all settings has reported every problem
    }
  }

  private static Map<Setting, String> only(Set<Setting> wanted, Map<Setting, String> flags) {
    var kept = new HashMap<>(flags);
    kept.keySet().retainAll(wanted);
    return kept;
  }

  /// Returns the environment without the variables of other settings. Variables that are not
  /// settings stay.
  private static Map<String, String> onlyOf(Set<Setting> wanted, Map<String, String> environment) {
    var kept = new HashMap<>(environment);
    Setting.all().stream()
        .filter(setting -> !wanted.contains(setting))
        .forEach(setting -> setting.env().ifPresent(kept::remove));
    return kept;
  }
}
