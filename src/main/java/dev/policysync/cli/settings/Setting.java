package dev.policysync.cli.settings;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// All settings, with their names. The command line, its help and `docs/settings.md` are generated
/// from these constants. A flag takes precedence over the environment variable, and that over the
/// default.
public enum Setting {
  INSIGHTS_HOST(
      Group.SOURCE,
      "FAIRWINDS_INSIGHTS_HOST",
      "--insights-host",
      "URL",
      "",
      "base URL of the API; plain http is accepted for loopback only, unless ALLOW_HTTP=true"),
  TOKEN(Group.SOURCE, "FAIRWINDS_TOKEN", "", "", "", "bearer token of the API"),
  TOKEN_FILE(
      Group.SOURCE,
      "FAIRWINDS_TOKEN_FILE",
      "--token-file",
      "FILE",
      "",
      "file that contains the bearer token"),
  ORGANIZATION(
      Group.SOURCE, "FAIRWINDS_ORG", "--organization", "NAME", "", "organization name in the API"),
  CLUSTER(Group.SOURCE, "FAIRWINDS_CLUSTER", "--cluster", "NAME", "", "cluster name in the API"),
  DRY_RUN(
      Group.RUN,
      "DRY_RUN",
      "--dry-run",
      "",
      "false",
      "send every write as a server-side dry run; nothing is written"),
  LOG_LEVEL(
      Group.RUN,
      "LOG_LEVEL",
      "--log-level",
      "LEVEL",
      "info",
      "log level: debug, info, warn or error"),
  MAX_REMOVALS(
      Group.GUARD,
      "MAX_REMOVALS",
      "--max-removals",
      "N|N%",
      "20%",
      "maximum number of policies removed in 24 hours, or a percentage of the owned policies (at"
          + " least 2)"),
  ADOPT(
      Group.GUARD,
      "ADOPT",
      "--adopt",
      "WHEN",
      "never",
      "when to take over existing policies that are not managed by policy-sync: never, identical"
          + " (only if nothing would change) or always"),
  EXCLUDE_KINDS(
      Group.GUARD,
      "EXCLUDE_KINDS",
      "--exclude-kinds",
      "KIND,...",
      "",
      "kinds that are neither listed, applied nor removed; policies of the feed with these kinds"
          + " fail"),
  APPROVED_FEED(
      Group.GUARD,
      "APPROVED_FEED",
      "--approved-feed",
      "DIGEST@TIME",
      "",
      "approve all removals and enforcement changes of one feed until a time: its digest from the"
          + " summary, or empty"),
  LINT(
      Group.GUARD,
      "LINT",
      "--lint",
      "MODE",
      "warn",
      "lint new and changed policies: off, warn or block (withhold policies with errors; only block"
          + " parses CEL)"),
  ENFORCE_GUARD(
      Group.GUARD,
      "ENFORCE_GUARD",
      "--enforce-guard",
      "MODE",
      "warn",
      "guard against changes that block more requests, with the workloads that fail in policy"
          + " reports: off, warn or hold"),
  ENFORCE_GUARD_THRESHOLD(
      Group.GUARD,
      Level.ADVANCED,
      "ENFORCE_GUARD_THRESHOLD",
      "--enforce-guard-threshold",
      "N",
      "1",
      "number of existing workloads that a change must block for ENFORCE_GUARD=hold to withhold"
          + " it"),
  CONVERT(
      Group.RUN,
      "CONVERT",
      "--convert",
      "MODE",
      "off",
      "put successors (policies.kyverno.io) in the place of policies of kyverno.io, which Kyverno"
          + " 1.20 does not execute: off, preview (only say what each would become) or apply"),
  CONVERT_REHEARSAL(
      Group.RUN,
      Level.ADVANCED,
      "CONVERT_REHEARSAL",
      "--convert-rehearsal",
      "TIME",
      "1h",
      "how long successors run in Audit beside a policy at least, with CONVERT=apply: as long as"
          + " Kyverno takes to scan every resource"),
  CONCURRENCY(
      Group.RUN,
      Level.ADVANCED,
      "CONCURRENCY",
      "--concurrency",
      "N",
      "4",
      "number of policies written in parallel, 1 to 32"),
  LOCK_WAIT(
      Group.RUN,
      Level.ADVANCED,
      "LOCK_WAIT",
      "--lock-wait",
      "TIME",
      "65s",
      "how long to wait for the Lease of another run before this run is skipped"),
  TIMEOUT(Group.RUN, "TIMEOUT", "--timeout", "TIME", "4m", "time limit of the whole run"),
  START_JITTER(
      Group.RUN,
      Level.ADVANCED,
      "START_JITTER",
      "--start-jitter",
      "TIME",
      "0s",
      "maximum start delay of scheduled runs; that of a cluster is derived from organization and"
          + " cluster name"),
  ALLOW_HTTP(
      Group.SOURCE,
      Level.ADVANCED,
      "ALLOW_HTTP",
      "",
      "",
      "false",
      "allow plain http to any host; the token is sent unencrypted"),
  ALLOW_JVM_OPTIONS(
      Group.GUARD,
      Level.ADVANCED,
      "ALLOW_JVM_OPTIONS",
      "",
      "",
      "false",
      "allow JAVA_TOOL_OPTIONS, _JAVA_OPTIONS and JDK_JAVA_OPTIONS in a pod"),
  NAMESPACE(
      Group.CLUSTER,
      "NAMESPACE",
      "--namespace",
      "NAME",
      "",
      "namespace of the agent and its Lease; defaults to that of the pod, or, with a kubeconfig, to"
          + " that of the agent's CronJob or Lease in the cluster"),
  POD_NAME(
      Group.CLUSTER,
      Level.ADVANCED,
      "POD_NAME",
      "",
      "",
      "",
      "pod name, part of the Lease's holder identity"),
  KUBECONFIG(
      Group.CLUSTER,
      "KUBECONFIG",
      "--kubeconfig",
      "FILE",
      "",
      "path to the kubeconfig; defaults to the pod's ServiceAccount, then ~/.kube/config"),
  CONTEXT(Group.CLUSTER, "", "--context", "NAME", "", "kubeconfig context to use"),
  IMPERSONATE(
      Group.CLUSTER,
      "",
      "--as",
      "USER",
      "",
      "user to impersonate, e.g. system:serviceaccount:NAMESPACE:NAME; requires a kubeconfig"),
  FROM(
      Group.SOURCE,
      "",
      "--from",
      "FILE|DIR|-",
      "",
      "read the policies from a file, a directory or standard input (-) instead of the API"),
  METRICS_PUSH_URL(
      Group.RUN,
      "METRICS_PUSH_URL",
      "--metrics-push-url",
      "URL",
      "",
      "Pushgateway to push the metrics of a sync to; not in a dry run"),
  METRICS_FILE(
      Group.RUN,
      "METRICS_FILE",
      "--metrics-file",
      "FILE",
      "",
      "*.prom file to write the metrics of a sync to, for a textfile collector; not in a dry run"),
  SUMMARY_FILE(
      Group.RUN,
      "SUMMARY_FILE",
      "--summary-file",
      "FILE",
      "",
      "*.json file to write the whole summary of a sync to; the log line shortens long lists"),
  OUTPUT_FILE(
      Group.RUN,
      Level.ADVANCED,
      "OUTPUT_FILE",
      "--output-file",
      "FILE",
      "",
      "write the upload to this file, complete or not at all, instead of sending it"),
  SEND_FAILURES(
      Group.RUN,
      Level.ADVANCED,
      "SEND_FAILURES",
      "",
      "",
      "true",
      "on failure, send the API the reason"),
  REPORT_RESULTS(
      Group.RUN,
      Level.ADVANCED,
      "REPORT_RESULTS",
      "",
      "",
      "fail,warn",
      "results to upload: fail,warn or fail,warn,error"),
  REPORT_TITLES(
      Group.RUN,
      Level.ADVANCED,
      "REPORT_TITLES",
      "",
      "",
      "cluster",
      "results to upload with the title and description of their policy: cluster, those of"
          + " ClusterPolicyReports, as the Go agent's plugin does, or all"),
  AGENT_CHART_VERSION(
      Group.RUN,
      Level.ADVANCED,
      "FAIRWINDS_AGENT_CHART_VERSION",
      "",
      "",
      "",
      "version of the installed chart, sent to the API");

  @SuppressWarnings("ImmutableEnumChecker") // the sets are
  private static final Set<Setting> OF_REPORT_ALONE =
      Set.of(OUTPUT_FILE, SEND_FAILURES, REPORT_RESULTS, REPORT_TITLES, AGENT_CHART_VERSION);

  private static final Set<Setting> OF_REPORT =
      Set.of(
          INSIGHTS_HOST,
          TOKEN,
          TOKEN_FILE,
          ORGANIZATION,
          CLUSTER,
          DRY_RUN,
          LOG_LEVEL,
          TIMEOUT,
          START_JITTER,
          ALLOW_HTTP,
          ALLOW_JVM_OPTIONS,
          POD_NAME,
          KUBECONFIG,
          CONTEXT,
          IMPERSONATE,
          OUTPUT_FILE,
          SEND_FAILURES,
          REPORT_RESULTS,
          REPORT_TITLES,
          AGENT_CHART_VERSION);

  /// The group of a setting in the help.
  public enum Group {
    /// Settings for the source of the expected policies.
    SOURCE,
    /// Settings for the cluster.
    CLUSTER,
    /// Settings that restrict writes.
    GUARD,
    /// Settings for how a run proceeds.
    RUN
  }

  /// Who needs a setting.
  public enum Level {
    /// Most installations may want to change it. The help of a command describes it.
    USUAL,
    /// Few installations change it. The help of a command only names it.
    ADVANCED
  }

  private final Group group;
  private final Level level;
  private final String env;
  private final String flag;
  private final String argument;
  private final String fallback;
  private final String meaning;

  Setting(Group group, String env, String flag, String argument, String fallback, String meaning) {
    this(group, Level.USUAL, env, flag, argument, fallback, meaning);
  }

  Setting(
      Group group,
      Level level,
      String env,
      String flag,
      String argument,
      String fallback,
      String meaning) {
    this.group = group;
    this.level = level;
    this.env = env;
    this.flag = flag;
    this.argument = argument;
    this.fallback = fallback;
    this.meaning = meaning;
  }

  /// Returns all settings, in the order of the documentation.
  public static List<Setting> all() {
    return List.of(values());
  }

  /// Returns the settings of a sync.
  public static List<Setting> ofSync() {
    return all().stream().filter(setting -> !OF_REPORT_ALONE.contains(setting)).toList();
  }

  /// Returns the settings of a sync without some.
  public static List<Setting> ofSyncExcept(Setting... unused) {
    var without = Set.of(unused);
    return ofSync().stream().filter(setting -> !without.contains(setting)).toList();
  }

  /// Returns the settings that `report` uses.
  public static List<Setting> ofReport() {
    return all().stream().filter(OF_REPORT::contains).toList();
  }

  public Group group() {
    return group;
  }

  public Level level() {
    return level;
  }

  public Optional<String> env() {
    return env.isEmpty() ? Optional.empty() : Optional.of(env);
  }

  public Optional<String> flag() {
    return flag.isEmpty() ? Optional.empty() : Optional.of(flag);
  }

  /// The short form of the flag, if kubectl has the same flag.
  public Optional<String> shortFlag() {
    return this == NAMESPACE ? Optional.of("-n") : Optional.empty();
  }

  /// The name of the flag's argument; empty for a flag without argument.
  public Optional<String> argument() {
    return argument.isEmpty() ? Optional.empty() : Optional.of(argument);
  }

  /// The default as text; empty means no default.
  public String fallback() {
    return fallback;
  }

  public String meaning() {
    return meaning;
  }

  /// Returns the setting's name in messages: `MAX_REMOVALS (--max-removals)`.
  String label() {
    if (env.isEmpty()) {
      return flag;
    }
    return flag.isEmpty() ? env : env + " (" + flag + ")";
  }
}
