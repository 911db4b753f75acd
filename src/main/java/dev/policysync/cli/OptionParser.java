package dev.policysync.cli;

import dev.policysync.settings.ValueMasker;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Reads a command line with options, which are made from the settings: a flag is written down
/// once.
final class OptionParser {
  static final String OUTPUT = "-o";
  private static final String HELP = "--help";
  private static final String VERSION = "--version";

  /// An option as far as it may be shown: `--from=`, `--dry-run`, or the `-o` of `-ojson`.
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
    if (words.size() > 1 && words.get(1).getCommandName().equals("help")) {
      return new Invocation.Print(helpOn(line, words.get(1).getParseResult()), false);
    }
    for (var word : words) {
      if (word.getParseResult().hasMatchedOption(HELP)) {
        return new Invocation.Print(help(word.getCommandName()), false);
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
    return Command.named(word).map(HelpText::of).orElseGet(HelpText::ofProgram);
  }

  private static String complaint(ParameterException e, String... args) {
    var text = new StringWriter();
    var out = new PrintWriter(text);
    out.println("policy-sync: " + withoutSecrets(String.valueOf(e.getMessage()), args));
    if (e instanceof UnmatchedArgumentException unmatched) {
      unmatched.printSuggestions(out);
    }
    out.println("Run 'policy-sync help' for usage.");
    out.flush();
    return text.toString();
  }

  /// What stands behind an equals sign may be a secret that was meant for another place, and so may
  /// any long word.
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
    var help = command("help");
    help.addPositional(
        PositionalParamSpec.builder()
            .paramLabel("COMMAND")
            .arity("0..1")
            .type(String.class)
            .build());
    root.addSubcommand("help", help);
    return root;
  }

  private static CommandSpec command(String name) {
    var spec = CommandSpec.create().name(name);
    spec.addOption(OptionSpec.builder("-h", HELP).usageHelp(true).build());
    return spec;
  }

  private static void addOptions(CommandSpec spec, Command command) {
    for (var setting : command.settings()) {
      setting.flag().ifPresent(flag -> spec.addOption(option(flag, setting.argument().orElse(""))));
    }
    spec.addOption(
        OptionSpec.builder(OUTPUT, "--output").paramLabel("FORMAT").type(String.class).build());
    for (var option : command.options()) {
      spec.addOption(option(option.flag(), option.argument()));
    }
  }

  private static void addOperand(CommandSpec spec, Command command) {
    if (!command.operand().isEmpty()) {
      spec.addPositional(
          PositionalParamSpec.builder()
              .paramLabel(command.operand().strip())
              .arity("0..*")
              .type(String[].class)
              .build());
    }
  }

  private static OptionSpec option(String flag, String argument) {
    var builder = OptionSpec.builder(flag);
    return argument.isEmpty()
        ? builder.arity("0").type(boolean.class).build()
        : builder.paramLabel(argument).arity("1").type(String.class).build();
  }
}
