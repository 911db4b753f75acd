package dev.policysync.cli;

import dev.policysync.cli.settings.Setting;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// The options of a command line, before the command's name and after it.
final class ParsedOptions {
  private final Command command;
  private final Map<Setting, String> flags = new EnumMap<>(Setting.class);
  private final Map<CommandOption, String> options = new EnumMap<>(CommandOption.class);
  private final List<String> operands = new ArrayList<>();
  private Optional<OutputFormat> output = Optional.empty();

  ParsedOptions(Command command) {
    this.command = command;
  }

  /// Adds the options after one word: the program's name or the command's.
  ///
  /// @throws ParameterException if the command does not support an option
  void add(ParseResult parsed, CommandLine line) {
    for (var setting : Setting.all()) {
      setting
          .flag()
          .filter(parsed::hasMatchedOption)
          .ifPresent(flag -> {
            checkSupported(command.settings().contains(setting), flag, line);
            flags.put(setting, value(parsed, flag));
          });
    }
    for (var option : CommandOption.values()) {
      if (parsed.hasMatchedOption(option.flag())) {
        checkSupported(command.options().contains(option), option.flag(), line);
        options.put(option, option.argument().isEmpty() ? "" : value(parsed, option.flag()));
      }
    }
    if (parsed.hasMatchedOption(OptionParser.OUTPUT)) {
      output = Optional.of(format(value(parsed, OptionParser.OUTPUT), line));
    }
    if (!command.operand().isEmpty()) {
      parsed.matchedPositionals().forEach(position -> operands.addAll(position.stringValues()));
    }
  }

  Invocation invocation() {
    return new Invocation.Run(command, flags, output, options, operands);
  }

  private void checkSupported(boolean heeded, String flag, CommandLine line) {
    if (!heeded) {
      throw new ParameterException(line, command.text() + " does not support " + flag);
    }
  }

  private OutputFormat format(String text, CommandLine line) {
    return command.formats().stream()
        .filter(format -> format.text().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(() ->
            new ParameterException(
                line,
                "unsupported output format '"
                    + text
                    + "' (-o, --output) for "
                    + command.text()
                    + "; supported: "
                    + command.formats().stream()
                        .map(OutputFormat::text)
                        .collect(Collectors.joining(", "))));
  }

  private static String value(ParseResult parsed, String flag) {
    var option = parsed.matchedOption(flag);
    return option.arity().max() == 0 ? "true" : option.stringValues().getLast();
  }
}
