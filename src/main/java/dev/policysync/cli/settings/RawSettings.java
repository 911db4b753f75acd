package dev.policysync.cli.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The settings as text, and the problems found in them. A flag takes precedence over the
/// environment variable, and that over the default.
final class RawSettings {
  private final Map<Setting, String> flags;
  private final Map<String, String> environment;
  private final List<String> problems = new ArrayList<>();

  RawSettings(Map<Setting, String> flags, Map<String, String> environment) {
    this.flags = flags;
    this.environment = environment;
  }

  /// Records a problem. Reading continues, so that all problems are reported at once.
  void problem(String text) {
    problems.add(text);
  }

  List<String> problems() {
    return List.copyOf(problems);
  }

  /// Returns the setting's text, or its default.
  Optional<String> text(Setting setting) {
    var flag = Optional.ofNullable(flags.get(setting));
    return flag.or(() -> setting.env().map(environment::get))
        .map(String::strip)
        .filter(text -> !text.isEmpty())
        .or(() -> Optional.of(setting.fallback()).filter(text -> !text.isEmpty()));
  }

  /// Returns an environment variable that is not a setting; empty if it is not set.
  String variable(String name) {
    return environment.getOrDefault(name, "");
  }

  /// Returns whether a flag or the environment sets the setting, to any value.
  boolean given(Setting setting) {
    return flags.containsKey(setting)
        || setting.env().map(environment::get).filter(text -> !text.isBlank()).isPresent();
  }

  /// Returns the setting's text; a missing text is recorded as a problem.
  Optional<String> required(Setting setting, String example) {
    var text = text(setting);
    if (text.isEmpty()) {
      problem(setting.label() + " is required" + example);
    }
    return text;
  }

  /// Returns the setting as `parse` reads it, or its default as `parse` reads it. An
  /// `IllegalArgumentException` of `parse` is recorded as a problem.
  ///
  /// @param expected the valid values, for the message: `a number from 1 to 32`
  <T> T value(Setting setting, Function<String, T> parse, String expected) {
    return optional(setting, parse, expected).orElseGet(() -> parse.apply(setting.fallback()));
  }

  /// Returns the setting as `parse` reads it; empty if it is not set, or invalid, which is recorded
  /// as a problem.
  ///
  /// @param expected the valid values, for the message: `a valid path`
  <T> Optional<T> optional(Setting setting, Function<String, T> parse, String expected) {
    var text = text(setting);
    try {
      return text.map(parse);
    } catch (IllegalArgumentException e) {
      problem(
          setting.label() + " is " + ValueMasker.of(text.orElse("")) + "; expected " + expected);
      return Optional.empty();
    }
  }

  /// Returns a boolean setting in the spellings of Go's `strconv.ParseBool`, which the Go agent
  /// reads.
  boolean flag(Setting setting) {
    return value(setting, RawSettings::parseBool, "true or false");
  }

  private static boolean parseBool(String text) {
    return switch (text) {
      case "1", "t", "T", "TRUE", "true", "True" -> true;
      case "0", "f", "F", "FALSE", "false", "False" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }
}
