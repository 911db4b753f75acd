package dev.policysync.cli.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// What was set, as text, and what is wrong with it: a flag wins over the environment, that over
/// the default.
final class RawSettings {
  private final Map<Setting, String> flags;
  private final Map<String, String> environment;
  private final List<String> problems = new ArrayList<>();

  RawSettings(Map<Setting, String> flags, Map<String, String> environment) {
    this.flags = flags;
    this.environment = environment;
  }

  /// Notes a problem; reading goes on, so that all of them can be told at once.
  void problem(String text) {
    problems.add(text);
  }

  /// All problems so far.
  List<String> problems() {
    return List.copyOf(problems);
  }

  /// The setting's text, or its default's.
  Optional<String> text(Setting setting) {
    var flag = Optional.ofNullable(flags.get(setting));
    return flag.or(() -> setting.env().map(environment::get))
        .map(String::strip)
        .filter(text -> !text.isEmpty())
        .or(() -> Optional.of(setting.fallback()).filter(text -> !text.isEmpty()));
  }

  /// An environment variable that is no setting of ours; empty where it is not set.
  String variable(String name) {
    return environment.getOrDefault(name, "");
  }

  /// Whether somebody set it, to whatever.
  boolean given(Setting setting) {
    return flags.containsKey(setting)
        || setting.env().map(environment::get).filter(text -> !text.isBlank()).isPresent();
  }

  /// The setting's text; where there is none, that is a problem.
  Optional<String> required(Setting setting, String example) {
    var text = text(setting);
    if (text.isEmpty()) {
      problem(setting.label() + " is required" + example);
    }
    return text;
  }

  /// The setting as `parse` reads it; where it throws, that is a problem.
  ///
  /// @param expected for the message: `a number from 1 to 32`
  <T> T value(Setting setting, Function<String, T> parse, T otherwise, String expected) {
    var text = text(setting);
    try {
      return text.map(parse).orElse(otherwise);
    } catch (IllegalArgumentException e) {
      problem(
          setting.label() + " is " + ValueMasker.of(text.orElse("")) + "; expected " + expected);
      return otherwise;
    }
  }

  /// Whether it is on, in the spellings of Go's `strconv.ParseBool`, as the Go agent reads them.
  boolean flag(Setting setting) {
    return value(setting, RawSettings::parseBool, false, "true or false");
  }

  private static boolean parseBool(String text) {
    return switch (text) {
      case "1", "t", "T", "TRUE", "true", "True" -> true;
      case "0", "f", "F", "FALSE", "false", "False" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }
}
