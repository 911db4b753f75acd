package dev.policysync.cli;

import dev.policysync.settings.Setting;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The commands: a constant each, which the command line and its help are made from.
@SuppressWarnings("ImmutableEnumChecker") // the lists are
public enum Command {
  SYNC(
      "make the cluster's policies equal to the expected ones (the default)",
      "",
      Setting.ofSync(),
      List.of(OutputFormat.TEXT, OutputFormat.DIFF, OutputFormat.JSON),
      List.of(CommandOption.EXIT_CODE)),
  DIFF(
      "show what sync would change, field by field; nothing is written",
      "",
      Setting.ofSync(),
      List.of(OutputFormat.TEXT, OutputFormat.DIFF, OutputFormat.JSON),
      List.of(CommandOption.EXIT_CODE)),
  REPORT(
      "send the API what the cluster's policy reports say, or show it",
      "",
      Setting.ofReport(),
      List.of(OutputFormat.TEXT, OutputFormat.JSON, OutputFormat.CSV, OutputFormat.HTML),
      List.of(
          CommandOption.SINCE,
          CommandOption.OWNER_LABEL,
          CommandOption.STORAGE,
          CommandOption.PODS,
          CommandOption.POLICIES)),
  LINT(
      "judge policies without a cluster: what Kyverno refuses, and what stops work one day",
      "FILE|DIR|-",
      List.of(
          Setting.INSIGHTS_HOST,
          Setting.TOKEN_FILE,
          Setting.ORGANIZATION,
          Setting.CLUSTER,
          Setting.LOG_LEVEL,
          Setting.TIMEOUT),
      List.of(OutputFormat.TEXT, OutputFormat.JSON, OutputFormat.SARIF),
      List.of(CommandOption.FAIL_ON, CommandOption.KYVERNO_VERSION, CommandOption.FROM_INSIGHTS)),
  CHECK(
      "ask whether a sync can work here, and say what to do where it cannot; nothing is written",
      "",
      Setting.all(),
      List.of(OutputFormat.TEXT, OutputFormat.JSON),
      List.of()),
  EXPORT(
      "print our policies as manifests that can be applied again: a backup",
      "",
      List.of(
          Setting.ORGANIZATION,
          Setting.CLUSTER,
          Setting.LOG_LEVEL,
          Setting.TIMEOUT,
          Setting.KUBECONFIG,
          Setting.CONTEXT),
      List.of(OutputFormat.YAML, OutputFormat.JSON),
      List.of(CommandOption.ALL));

  private final String meaning;
  private final String operand;
  private final List<Setting> settings;
  private final List<OutputFormat> formats;
  private final List<CommandOption> options;

  Command(
      String meaning,
      String operand,
      List<Setting> settings,
      List<OutputFormat> formats,
      List<CommandOption> options) {
    this.meaning = meaning;
    this.operand = operand;
    this.settings = settings;
    this.formats = formats;
    this.options = options;
  }

  static List<Command> all() {
    return List.of(values());
  }

  static Optional<Command> named(String name) {
    return all().stream().filter(command -> command.text().equals(name)).findFirst();
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// What it does, in a phrase.
  String meaning() {
    return meaning;
  }

  /// What its words are that belong to no option, as help calls them; empty where it takes none.
  String operand() {
    return operand;
  }

  /// The settings that it heeds.
  List<Setting> settings() {
    return settings;
  }

  /// The formats that `-o` may choose.
  List<OutputFormat> formats() {
    return formats;
  }

  /// Its options beside the settings.
  List<CommandOption> options() {
    return options;
  }

  /// What help says below the options, a line each; empty where the options say it all.
  List<String> lesson() {
    return switch (this) {
      case REPORT -> ReportHelp.LINES;
      default -> List.of();
    };
  }
}
