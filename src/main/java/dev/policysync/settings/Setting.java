package dev.policysync.settings;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Every setting by its names: one line each, which the command line, its help and the
/// documentation's table are made from and compared with. A flag wins over the environment, that
/// over the default.
public enum Setting {
  INSIGHTS_HOST(
      "FAIRWINDS_INSIGHTS_HOST",
      "--insights-host",
      "URL",
      "",
      "base URL of the API; plain http only to this machine unless ALLOW_HTTP=true"),
  TOKEN("FAIRWINDS_TOKEN", "", "", "", "the API's bearer token"),
  TOKEN_FILE(
      "FAIRWINDS_TOKEN_FILE", "--token-file", "FILE", "", "a file that holds the bearer token"),
  ORGANIZATION("FAIRWINDS_ORG", "--organization", "NAME", "", "the API's name of the organization"),
  CLUSTER("FAIRWINDS_CLUSTER", "--cluster", "NAME", "", "the API's name of this cluster"),
  DRY_RUN(
      "DRY_RUN",
      "--dry-run",
      "",
      "false",
      "let the API server judge every write, and write nothing"),
  LOG_LEVEL("LOG_LEVEL", "--log-level", "LEVEL", "info", "debug, info, warn or error"),
  MAX_REMOVALS(
      "MAX_REMOVALS",
      "--max-removals",
      "N|N%",
      "20%",
      "how many policies may be removed in 24 hours; a percentage of the owned ones, but at least 2"),
  ADOPT(
      "ADOPT",
      "--adopt",
      "WHEN",
      "never",
      "never, identical (where nothing would change) or always: take over policies of an expected name that are not ours"),
  LINT(
      "LINT",
      "--lint",
      "MODE",
      "warn",
      "off, warn, or block (withhold what has an error; CEL is read only then): hazards of new and changed policies"),
  ENFORCE_GUARD(
      "ENFORCE_GUARD",
      "--enforce-guard",
      "MODE",
      "warn",
      "off, warn or hold: changes that block more, and the workloads that policy reports show to fail"),
  ENFORCE_GUARD_THRESHOLD(
      "ENFORCE_GUARD_THRESHOLD",
      "--enforce-guard-threshold",
      "N",
      "1",
      "how many existing workloads a change has to block to be held back by ENFORCE_GUARD=hold"),
  CONCURRENCY(
      "CONCURRENCY", "--concurrency", "N", "4", "policies written at the same time, 1 to 32"),
  LOCK_WAIT(
      "LOCK_WAIT",
      "--lock-wait",
      "TIME",
      "65s",
      "how long to wait for another run's Lease before this run is skipped"),
  TIMEOUT("TIMEOUT", "--timeout", "TIME", "4m", "deadline of the whole run"),
  START_JITTER(
      "START_JITTER",
      "--start-jitter",
      "TIME",
      "0s",
      "wait a share of this first, fixed by organization and cluster"),
  ALLOW_HTTP("ALLOW_HTTP", "", "", "false", "allow plain http to any host: the token is readable"),
  ALLOW_JVM_OPTIONS(
      "ALLOW_JVM_OPTIONS",
      "",
      "",
      "false",
      "in a pod, allow JAVA_TOOL_OPTIONS, _JAVA_OPTIONS and JDK_JAVA_OPTIONS"),
  NAMESPACE(
      "NAMESPACE", "", "", "", "namespace of the Lease; else the pod's or the kubeconfig's own"),
  POD_NAME("POD_NAME", "", "", "", "the pod's name, part of the Lease holder's identity"),
  KUBECONFIG(
      "KUBECONFIG",
      "--kubeconfig",
      "FILE",
      "",
      "cluster access; else the pod's ServiceAccount, else the home directory's kubeconfig"),
  CONTEXT("", "--context", "NAME", "", "context of the kubeconfig"),
  FROM("", "--from", "FILE|DIR|-", "", "read the expected policies from there, not from the API"),
  OUTPUT_FILE(
      "OUTPUT_FILE",
      "--output-file",
      "FILE",
      "",
      "report: write what the API is sent there, all of it or nothing, and send nothing"),
  SEND_FAILURES(
      "SEND_FAILURES", "", "", "true", "report: tell the API why where there is no report"),
  REPORT_RESULTS(
      "REPORT_RESULTS",
      "",
      "",
      "fail,warn",
      "report: the results that the API is sent: fail,warn or fail,warn,error"),
  AGENT_CHART_VERSION(
      "FAIRWINDS_AGENT_CHART_VERSION",
      "",
      "",
      "",
      "report: version of the chart that installed this, handed on to the API");

  @SuppressWarnings("ImmutableEnumChecker") // the sets are
  private static final Set<Setting> OF_REPORT_ALONE =
      Set.of(OUTPUT_FILE, SEND_FAILURES, REPORT_RESULTS, AGENT_CHART_VERSION);

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
          KUBECONFIG,
          CONTEXT,
          OUTPUT_FILE,
          SEND_FAILURES,
          REPORT_RESULTS,
          AGENT_CHART_VERSION);

  private final String env;
  private final String flag;
  private final String argument;
  private final String fallback;
  private final String meaning;

  Setting(String env, String flag, String argument, String fallback, String meaning) {
    this.env = env;
    this.flag = flag;
    this.argument = argument;
    this.fallback = fallback;
    this.meaning = meaning;
  }

  /// All of them, in the order of the documentation.
  public static List<Setting> all() {
    return List.of(values());
  }

  /// Those that `sync` and `diff` heed.
  public static List<Setting> ofSync() {
    return all().stream().filter(setting -> !OF_REPORT_ALONE.contains(setting)).toList();
  }

  /// Those that `report` heeds.
  public static List<Setting> ofReport() {
    return all().stream().filter(OF_REPORT::contains).toList();
  }

  /// The environment variable, if it has one.
  public Optional<String> env() {
    return env.isEmpty() ? Optional.empty() : Optional.of(env);
  }

  /// The flag, if it has one.
  public Optional<String> flag() {
    return flag.isEmpty() ? Optional.empty() : Optional.of(flag);
  }

  /// What the flag's argument is called; none where the flag stands alone.
  public Optional<String> argument() {
    return argument.isEmpty() ? Optional.empty() : Optional.of(argument);
  }

  /// The value where nothing is set; empty means there is none.
  public String fallback() {
    return fallback;
  }

  /// What it does, in a phrase.
  public String meaning() {
    return meaning;
  }

  /// How messages name it: `MAX_REMOVALS (--max-removals)`.
  String label() {
    if (env.isEmpty()) {
      return flag;
    }
    return flag.isEmpty() ? env : env + " (" + flag + ")";
  }
}
