package dev.policysync.cli;

import dev.policysync.cli.settings.Setting;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The commands. The command line, its help and the column `used by` of `docs/settings.md` are
/// generated from these constants.
@SuppressWarnings("ImmutableEnumChecker") // the lists are
public enum Command {
  SYNC(
      "apply and remove policies so that the cluster matches the source (the default)",
      "",
      Setting.ofSync(),
      List.of(OutputFormat.TEXT, OutputFormat.DIFF, OutputFormat.JSON),
      List.of(CommandOption.EXIT_CODE, CommandOption.FULL)),
  DIFF(
      "show what sync would change, field by field; writes nothing",
      "",
      Setting.ofSync(),
      Setting.ofSyncExcept(
          Setting.DRY_RUN,
          Setting.LOCK_WAIT,
          Setting.START_JITTER,
          Setting.POD_NAME,
          Setting.METRICS_PUSH_URL,
          Setting.METRICS_FILE),
      List.of(OutputFormat.TEXT, OutputFormat.DIFF, OutputFormat.JSON),
      List.of(CommandOption.EXIT_CODE, CommandOption.FULL)),
  STATUS(
      "show how the cluster stands to the source, and what is not in force; writes nothing",
      "",
      Setting.ofSync(),
      Setting.ofSyncExcept(
          Setting.DRY_RUN,
          Setting.LOCK_WAIT,
          Setting.START_JITTER,
          Setting.POD_NAME,
          Setting.SUMMARY_FILE),
      List.of(OutputFormat.TEXT, OutputFormat.JSON),
      List.of()),
  REPORT(
      "upload the findings of the cluster's policy reports, or show them",
      "",
      Setting.ofReport(),
      List.of(OutputFormat.TEXT, OutputFormat.JSON, OutputFormat.CSV, OutputFormat.HTML),
      List.of(
          CommandOption.UPLOAD,
          CommandOption.SINCE,
          CommandOption.OWNER_LABEL,
          CommandOption.STORAGE,
          CommandOption.PODS,
          CommandOption.POLICIES)),
  LINT(
      "check policies for errors and hazards, without a cluster",
      " [FILE|DIR|-]...",
      List.of(
          Setting.INSIGHTS_HOST,
          Setting.TOKEN,
          Setting.TOKEN_FILE,
          Setting.ORGANIZATION,
          Setting.CLUSTER,
          Setting.LOG_LEVEL,
          Setting.TIMEOUT,
          Setting.ALLOW_HTTP,
          Setting.ALLOW_JVM_OPTIONS),
      List.of(OutputFormat.TEXT, OutputFormat.JSON, OutputFormat.SARIF),
      List.of(
          CommandOption.FAIL_ON,
          CommandOption.KYVERNO_VERSION,
          CommandOption.EXCLUDE,
          CommandOption.FROM_INSIGHTS)),
  CONVERT(
      "convert policies of kyverno.io, which Kyverno 1.20 ends, into their successors",
      " [FILE|DIR|-]...",
      List.of(),
      List.of(OutputFormat.YAML, OutputFormat.JSON),
      List.of(CommandOption.VERIFY, CommandOption.RESOURCES, CommandOption.KYVERNO)),
  CHECK(
      "check whether sync can run in this cluster; writes nothing",
      "",
      Setting.all(),
      List.of(
          Setting.INSIGHTS_HOST,
          Setting.TOKEN,
          Setting.TOKEN_FILE,
          Setting.ORGANIZATION,
          Setting.CLUSTER,
          Setting.LOG_LEVEL,
          Setting.MAX_REMOVALS,
          Setting.TIMEOUT,
          Setting.ALLOW_HTTP,
          Setting.ALLOW_JVM_OPTIONS,
          Setting.NAMESPACE,
          Setting.KUBECONFIG,
          Setting.CONTEXT,
          Setting.IMPERSONATE,
          Setting.FROM),
      List.of(OutputFormat.TEXT, OutputFormat.JSON),
      List.of()),
  EXPORT(
      "print the managed policies as manifests, for a backup",
      "",
      List.of(
          Setting.ORGANIZATION,
          Setting.CLUSTER,
          Setting.LOG_LEVEL,
          Setting.TIMEOUT,
          Setting.ALLOW_JVM_OPTIONS,
          Setting.KUBECONFIG,
          Setting.CONTEXT,
          Setting.IMPERSONATE),
      List.of(OutputFormat.YAML, OutputFormat.JSON),
      List.of(CommandOption.ALL));

  private final String meaning;
  private final String operand;
  private final List<Setting> settings;
  private final List<Setting> usedSettings;
  private final List<OutputFormat> formats;
  private final List<CommandOption> options;

  /// A command that uses each setting that it accepts.
  Command(
      String meaning,
      String operand,
      List<Setting> settings,
      List<OutputFormat> formats,
      List<CommandOption> options) {
    this(meaning, operand, settings, settings, formats, options);
  }

  Command(
      String meaning,
      String operand,
      List<Setting> settings,
      List<Setting> usedSettings,
      List<OutputFormat> formats,
      List<CommandOption> options) {
    this.meaning = meaning;
    this.operand = operand;
    this.settings = settings;
    this.usedSettings = usedSettings;
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

  String meaning() {
    return meaning;
  }

  /// The operands in the usage line of the help, after the command's name; empty if the command
  /// takes none.
  String operand() {
    return operand;
  }

  /// The settings that the command accepts: their flags are valid, and invalid values are errors.
  List<Setting> settings() {
    return settings;
  }

  /// The settings that change what the command does. The others are accepted, so that one command
  /// line and one environment serve `sync`, `diff`, `status` and `check`.
  List<Setting> usedSettings() {
    return usedSettings;
  }

  List<OutputFormat> formats() {
    return formats;
  }

  /// The options that are not settings.
  List<CommandOption> options() {
    return options;
  }
}
