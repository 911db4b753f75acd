package dev.policysync.cli;

import dev.policysync.settings.Setting;
import dev.policysync.settings.ValueMasker;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Reads a command line with options. The options are made from [Setting], so that a flag, its
/// variable and its default are written down once.
final class OptionParser {
  static final String OUTPUT = "-o";
  private static final String HELP = "--help";
  private static final String VERSION = "--version";
  private static final int WIDTH = 100;

  /// An option as far as it may be shown: `--from=`, `--dry-run`, or the `-o` of `-ojson`.
  private static final Pattern OPTION = Pattern.compile("^(--[\\w-]*(=|$)|-\\w=?)");

  Invocation parse(String... args) {
    var line = new CommandLine(root());
    line.setUsageHelpWidth(WIDTH);
    line.getSubcommands().values().forEach(command -> command.setUsageHelpWidth(WIDTH));
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
        return new Invocation.Print(word.getUsageMessage(), false);
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
      return line.getUsageMessage();
    }
    String topic = topics.getFirst().getValue();
    var command = line.getSubcommands().get(topic);
    if (command == null) {
      throw new ParameterException(line, "there is no command '" + topic + "'");
    }
    return command.getUsageMessage();
  }

  private static String complaint(ParameterException e, String... args) {
    var text = new StringWriter();
    var out = new PrintWriter(text);
    out.println("policy-sync: " + withoutSecrets(String.valueOf(e.getMessage()), args));
    if (e instanceof UnmatchedArgumentException unmatched) {
      unmatched.printSuggestions(out);
    }
    out.println("Try 'policy-sync help'.");
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
    var root =
        command(
            "policy-sync",
            "Keeps a cluster's Kyverno policies equal to what a remote API expects.");
    root.addOption(OptionSpec.builder(VERSION).description("print the version").build());
    addOptions(root, Command.SYNC);
    for (var command : Command.all()) {
      var spec = command(command.text(), sentence(command.meaning()));
      addOptions(spec, command);
      addOperand(spec, command);
      lesson(spec, command);
      root.addSubcommand(command.text(), spec);
    }
    var help = command("help", "explain the program, or one command");
    help.addPositional(
        PositionalParamSpec.builder()
            .paramLabel("COMMAND")
            .arity("0..1")
            .type(String.class)
            .description("what to explain")
            .build());
    root.addSubcommand("help", help);
    root.usageMessage()
        .footer(
            "",
            "Settings come from flags, else from the environment, else from the defaults.",
            "",
            "Exit codes:",
            "    0  in sync, or skipped because another run is at work",
            "    1  something failed; see the errors in the summary",
            "    2  wrong settings or arguments",
            "    3  a guard withheld something; everything else was done",
            "    4  --exit-code was given and changes are pending",
            "  143  stopped by SIGTERM (130 by SIGINT), after a clean stop",
            "",
            "Examples:",
            "  policy-sync diff                            what would change in the current context",
            "  policy-sync sync --dry-run -o json          the same, as one line of JSON",
            "  policy-sync diff --from policies/ --exit-code   preview files, for CI",
            "  policy-sync report -o html > findings.html   what policy reports say, as a page",
            "  kubectl create job --from=cronjob/kyverno-policy-sync now   run the scheduled job now");
    return root;
  }

  private static CommandSpec command(String name, String description) {
    var spec = CommandSpec.create().name(name);
    spec.usageMessage().description(description).optionListHeading("%nOptions:%n");
    spec.usageMessage().commandListHeading("%nCommands:%n").sortOptions(false);
    spec.usageMessage().synopsisHeading("Usage: ");
    spec.addOption(
        OptionSpec.builder("-h", HELP).usageHelp(true).description("explain this command").build());
    return spec;
  }

  private static void addOptions(CommandSpec spec, Command command) {
    for (var setting : command.settings()) {
      setting.flag().ifPresent(flag -> spec.addOption(option(setting, flag)));
    }
    spec.addOption(
        OptionSpec.builder(OUTPUT, "--output")
            .paramLabel("FORMAT")
            .type(String.class)
            .description(formats(command))
            .build());
    for (var option : command.options()) {
      spec.addOption(option(option.flag(), option.argument(), option.meaning()));
    }
  }

  private static String formats(Command command) {
    var texts = command.formats().stream().map(OutputFormat::text).toList();
    var last = texts.size() - 1;
    return String.join(", ", texts.subList(0, last))
        + " or "
        + texts.get(last)
        + (command == Command.SYNC ? "; json is the default of sync without a terminal" : "");
  }

  private static void lesson(CommandSpec spec, Command command) {
    if (!command.lesson().isEmpty()) {
      var lines = new ArrayList<>(List.of(""));
      command.lesson().forEach(line -> lines.add(line.replace("%", "%%")));
      spec.usageMessage().footer(lines.toArray(String[]::new));
    }
  }

  private static void addOperand(CommandSpec spec, Command command) {
    if (!command.operand().isEmpty()) {
      spec.addPositional(
          PositionalParamSpec.builder()
              .paramLabel(command.operand())
              .arity("0..*")
              .type(String[].class)
              .build());
    }
  }

  private static OptionSpec option(Setting setting, String flag) {
    return option(flag, setting.argument().orElse(""), description(setting));
  }

  private static OptionSpec option(String flag, String argument, String description) {
    var builder = OptionSpec.builder(flag).description(description);
    return argument.isEmpty()
        ? builder.arity("0").type(boolean.class).build()
        : builder.paramLabel(argument).arity("1").type(String.class).build();
  }

  private static String description(Setting setting) {
    var text = new StringBuilder(setting.meaning());
    var fallback = setting.fallback();
    if (!fallback.isEmpty() && setting.argument().isPresent()) {
      text.append(" (default ").append(fallback).append(')');
    }
    setting.env().ifPresent(env -> text.append(" [").append(env).append(']'));
    return text.toString().replace("%", "%%");
  }

  private static String sentence(String phrase) {
    return phrase.substring(0, 1).toUpperCase(Locale.ROOT) + phrase.substring(1) + ".";
  }
}
