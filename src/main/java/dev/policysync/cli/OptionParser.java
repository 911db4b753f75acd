package dev.policysync.cli;

import dev.policysync.cli.settings.Setting;
import dev.policysync.cli.settings.ValueMasker;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Parses a command line with options. The options are generated from the settings, so that each
/// flag is defined once.
final class OptionParser {
  static final String OUTPUT = "-o";

  /// The start of the name of an argument that is a path.
  static final String FILE = "FILE";

  private static final String HELP = "--help";
  private static final String VERSION = "--version";

  /// The part of an option that error messages may show: `--from=`, `--dry-run`, or the `-o` of
  /// `-ojson`.
  private static final Pattern OPTION = Pattern.compile("^(--[\\w-]*(=|$)|-\\w=?)");

  Invocation parse(String... args) {
    var line = new CommandLine(root());
    try {
      return invocation(line, line.parseArgs(args));
    } catch (ParameterException e) {
      return new Invocation.Print(complaint(e, args), true);
    }
  }

  private static Invocation invocation(CommandLine line, ParseResult root) {
    if (root.hasMatchedOption(VERSION)) {
      return new Invocation.Print("policy-sync " + ProgramVersion.text() + "\n", false);
    }
    var words = root.asCommandLineList();
    for (var word : words) {
      if (word.getParseResult().hasMatchedOption(HELP)) {
        return new Invocation.Print(help(word.getCommandName()), false);
      }
    }
    if (words.size() > 1) {
      var own = textCommandOutput(line, words.get(1));
      if (own.isPresent()) {
        return new Invocation.Print(own.get(), false);
      }
    }
    var command =
        words.size() > 1
            ? Command.named(words.get(1).getCommandName()).orElse(Command.SYNC)
            : Command.SYNC;
    var given = new ParsedOptions(command);
    words.forEach(word -> given.add(word.getParseResult(), word));
    return given.invocation();
  }

  /// Returns the output of `help`, `version` or `completion`; empty if the word is a command.
  private static Optional<String> textCommandOutput(CommandLine line, CommandLine word) {
    var parsed = word.getParseResult();
    return switch (word.getCommandName()) {
      case "help" -> Optional.of(helpOn(line, parsed));
      case "version" -> Optional.of(version(word, parsed));
      case CompletionScript.WORD -> Optional.of(completion(line, word, parsed));
      default -> Optional.empty();
    };
  }

  private static String version(CommandLine word, ParseResult parsed) {
    String format = parsed.matchedOptionValue(OUTPUT, "text");
    return switch (format) {
      case "text" -> "policy-sync " + ProgramVersion.text() + "\n";
      case "json" -> ProgramVersion.json() + "\n";
      default ->
          throw new ParameterException(
              word,
              "unsupported output format '"
                  + format
                  + "' (-o, --output) for version; supported: text, json");
    };
  }

  private static String completion(CommandLine line, CommandLine word, ParseResult parsed) {
    var shells = parsed.matchedPositionals();
    String shell = shells.isEmpty() ? "" : shells.getFirst().getValue();
    return CompletionScript.of(shell, line)
        .orElseThrow(() ->
            new ParameterException(
                word,
                "completion requires a shell: " + String.join(", ", CompletionScript.SHELLS)));
  }

  private static String helpOn(CommandLine line, ParseResult help) {
    var topics = help.matchedPositionals();
    if (topics.isEmpty()) {
      return HelpText.ofProgram();
    }
    String topic = topics.getFirst().getValue();
    if (!line.getSubcommands().containsKey(topic)) {
      throw new ParameterException(line, "unknown command '" + topic + "'");
    }
    return help(topic);
  }

  private static String help(String word) {
    return word.equals(CompletionScript.WORD)
        ? HelpText.ofCompletion()
        : Command.named(word).map(HelpText::of).orElseGet(HelpText::ofProgram);
  }

  private static String complaint(ParameterException e, String... args) {
    var text = new StringWriter();
    var out = new PrintWriter(text);
    var command = Stream.of(args).flatMap(arg -> Command.named(arg).stream()).findFirst();
    var message =
        e instanceof UnmatchedArgumentException unmatched
            ? unmatched(unmatched.getUnmatched().getFirst(), command)
            : String.valueOf(e.getMessage());
    out.println("policy-sync: " + withoutSecrets(message, args));
    if (e instanceof UnmatchedArgumentException unmatched) {
      unmatched.printSuggestions(out);
    }
    out.println(
        "Run 'policy-sync help" + command.map(one -> " " + one.text()).orElse("") + "' for usage.");
    out.flush();
    return text.toString();
  }

  /// Explains an argument that the command does not know: an option of another command, or a word.
  private static String unmatched(String argument, Optional<Command> command) {
    if (argument.startsWith("-")) {
      var option = OPTION.matcher(argument);
      var flag = option.find() ? option.group().replace("=", "") : "-";
      var others =
          Command.all().stream()
              .filter(other -> knows(other, flag))
              .map(Command::text)
              .collect(Collectors.joining(", "));
      return command.map(one -> one.text() + " has no option ").orElse("unknown option ")
          + flag
          + (others.isEmpty() ? "" : "; these commands have it: " + others);
    }
    if (command.isEmpty()) {
      return "unknown command '" + argument + "'";
    }
    return command.get().text()
        + " takes no arguments, only options"
        + (knows(command.get(), Setting.FROM.flag().orElseThrow())
            ? "; to read policies from files: --from FILE|DIR"
            : "");
  }

  private static boolean knows(Command command, String flag) {
    return command.options().stream().anyMatch(option -> option.flag().equals(flag))
        || command.settings().stream()
            .anyMatch(setting ->
                Stream.concat(setting.flag().stream(), setting.shortFlag().stream())
                    .anyMatch(flag::equals));
  }

  /// Masks the values in a picocli message. The text after an equals sign, or any long word, may be
  /// a secret that was meant for another place.
  private static String withoutSecrets(String message, String... args) {
    var shown = message;
    for (var arg : args) {
      var value = OPTION.matcher(arg).replaceFirst("");
      if (!ValueMasker.harmless(value)) {
        shown = shown.replace(value, "…");
      }
    }
    return shown.replaceAll("=[^' ]+", "=…");
  }

  private static CommandSpec root() {
    var root = command("policy-sync");
    root.addOption(OptionSpec.builder(VERSION).build());
    addOptions(root, Command.SYNC);
    for (var command : Command.all()) {
      var spec = command(command.text());
      addOptions(spec, command);
      addOperand(spec, command);
      root.addSubcommand(command.text(), spec);
    }
    var version = command("version");
    version.addOption(output(List.of("text", "json")));
    root.addSubcommand("version", version);
    root.addSubcommand(
        CompletionScript.WORD,
        command(CompletionScript.WORD).addPositional(word("SHELL", CompletionScript.SHELLS)));
    root.addSubcommand(
        "help",
        command("help")
            .addPositional(word("COMMAND", Command.all().stream().map(Command::text).toList())));
    return root;
  }

  private static PositionalParamSpec word(String label, List<String> candidates) {
    return PositionalParamSpec.builder()
        .paramLabel(label)
        .arity("0..1")
        .type(String.class)
        .completionCandidates(candidates)
        .build();
  }

  private static OptionSpec output(List<String> formats) {
    return OptionSpec.builder(OUTPUT, "--output")
        .paramLabel("FORMAT")
        .type(String.class)
        .completionCandidates(formats)
        .build();
  }

  private static CommandSpec command(String name) {
    var spec = CommandSpec.create().name(name);
    spec.addOption(OptionSpec.builder("-h", HELP).usageHelp(true).build());
    return spec;
  }

  private static void addOptions(CommandSpec spec, Command command) {
    for (var setting : command.settings()) {
      setting
          .flag()
          .ifPresent(flag -> {
            var names = Stream.concat(setting.shortFlag().stream(), Stream.of(flag));
            spec.addOption(option(names.toList(), setting.argument().orElse("")));
          });
    }
    spec.addOption(output(command.formats().stream().map(OutputFormat::text).toList()));
    for (var option : command.options()) {
      spec.addOption(option(List.of(option.flag()), option.argument()));
    }
  }

  private static void addOperand(CommandSpec spec, Command command) {
    if (!command.operand().isEmpty()) {
      spec.addPositional(
          PositionalParamSpec.builder()
              .paramLabel(command.operand().strip())
              .arity("0..*")
              .type(File[].class)
              .build());
    }
  }

  /// Makes an option. The argument's type serves only shell completion; the argument itself is read
  /// as text.
  private static OptionSpec option(List<String> names, String argument) {
    var builder = OptionSpec.builder(names.toArray(String[]::new));
    if (argument.isEmpty()) {
      return builder.arity("0").type(boolean.class).build();
    }
    var type = argument.startsWith(FILE) ? File.class : String.class;
    return builder.paramLabel(argument).arity("1").type(type).build();
  }
}
