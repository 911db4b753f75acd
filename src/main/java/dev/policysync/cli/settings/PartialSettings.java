package dev.policysync.cli.settings;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// As much of the settings as is right, for whoever wants to find out more than the first mistake.
///
/// Whatever contradicts a pinned setting or loads code into Java makes a part unusable as it does
/// the whole: a token must not go where the cluster's owner does not want it.
///
/// @param problems all of them
/// @param whole where there are none
/// @param api where what concerns the API, or the files in its place, is right
/// @param cluster where what concerns the way to the cluster is right
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

  /// Reads what there is.
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
      return Optional.empty(); // the whole has told every problem
    }
  }

  private static Map<Setting, String> only(Set<Setting> wanted, Map<Setting, String> flags) {
    var kept = new HashMap<>(flags);
    kept.keySet().retainAll(wanted);
    return kept;
  }

  /// Without the variables of the other settings; those that are no settings stay.
  private static Map<String, String> onlyOf(Set<Setting> wanted, Map<String, String> environment) {
    var kept = new HashMap<>(environment);
    Setting.all().stream()
        .filter(setting -> !wanted.contains(setting))
        .forEach(setting -> setting.env().ifPresent(kept::remove));
    return kept;
  }
}
