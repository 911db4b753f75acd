package dev.policysync.remote.cluster;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.sync.execution.TimeBudget;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A credential plugin of a kubeconfig (`users[].user.exec`), run as kubectl runs it
/// (<https://kubernetes.io/docs/reference/access-authn-authz/authentication/>, section "client-go
/// credential plugins").
final class ExecPlugin {
  /// The time limit of a plugin that is not interactive: it calls a cloud or reads a cache.
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final String INFO = "KUBERNETES_EXEC_INFO";
  private static final String GROUP = "client.authentication.k8s.io/";
  private static final Set<String> VERSIONS = Set.of(GROUP + "v1", GROUP + "v1beta1");

  /// The maximum length in characters: the end of stderr, where most programs report the error.
  private static final int LONGEST_STDERR = 500;

  /// Text that may be a token, a key or a part of one.
  private static final Pattern OPAQUE = Pattern.compile("[A-Za-z0-9+=_-]{32,}");

  private static final Pattern SECRET_VARIABLE =
      Pattern.compile("(?i).*(token|secret|password|passwd|credential|key).*");

  /// The minimum length in characters: a shorter text may be an ordinary word.
  private static final int SHORTEST_SECRET = 8;

  private final String name;
  private final List<String> command;
  private final Map<String, String> environment;
  private final String apiVersion;
  private final Optional<String> installHint;
  private final String info;
  private final boolean interactive;

  private ExecPlugin(
      String name,
      List<String> command,
      Map<String, String> environment,
      String apiVersion,
      Optional<String> installHint,
      String info,
      boolean asking) {
    this.name = name;
    this.command = command;
    this.environment = environment;
    this.apiVersion = apiVersion;
    this.installHint = installHint;
    this.info = info;
    this.interactive = asking;
  }

  /// Parses the section.
  ///
  /// @param cluster the cluster's data for a plugin that requests it
  /// @param terminal whether a user at a terminal may be asked to log in
  /// @throws IllegalArgumentException if kubectl would reject the section, too
  static ExecPlugin parse(ConfigSection exec, Value.Mapping cluster, boolean terminal) {
    var apiVersion = exec.text("apiVersion").orElse("");
    if (!VERSIONS.contains(apiVersion)) {
      throw new IllegalArgumentException(
          exec.name("apiVersion")
              + " is "
              + (apiVersion.isEmpty() ? "missing" : apiVersion)
              + "; supported are "
              + GROUP
              + "v1 and v1beta1: write the kubeconfig anew with the current version of its tool");
    }
    var program =
        exec.text("command")
            .orElseThrow(() -> new IllegalArgumentException(exec.name("command") + " is missing"));
    var command = new ArrayList<String>();
    command.add(program);
    exec.list("args").forEach(argument -> command.add(string(argument, exec.name("args"))));
    var asking = interactive(exec, apiVersion, terminal);
    return new ExecPlugin(
        program,
        command,
        environment(exec),
        apiVersion,
        exec.text("installHint"),
        info(apiVersion, asking, exec.flag("provideClusterInfo") ? cluster : null),
        asking);
  }

  private static boolean interactive(ConfigSection exec, String apiVersion, boolean terminal) {
    // Before v1, the field was optional.
    var otherwise = apiVersion.endsWith("/v1") ? "" : "IfAvailable";
    return switch (exec.text("interactiveMode").orElse(otherwise)) {
      case "Never" -> false;
      case "IfAvailable" -> terminal;
      case "Always" -> {
        if (!terminal) {
          throw new IllegalArgumentException(
              exec.name("interactiveMode")
                  + " is Always, but standard input is not a terminal; run policy-sync at a"
                  + " terminal, or choose another user");
        }
        yield true;
      }
      case "" -> throw new IllegalArgumentException(exec.name("interactiveMode") + " is missing");
      default ->
          throw new IllegalArgumentException(
              exec.name("interactiveMode") + " is not one of Never, IfAvailable and Always");
    };
  }

  private static Map<String, String> environment(ConfigSection exec) {
    var environment = new LinkedHashMap<String, String>();
    for (var entry : exec.list("env")) {
      if (!(entry instanceof Map<?, ?> fields)) {
        throw new IllegalArgumentException(exec.name("env") + " is not a list of names and values");
      }
      var variable = new ConfigSection(exec.name("env"), fields);
      environment.put(
          variable
              .text("name")
              .orElseThrow(() ->
                  new IllegalArgumentException(exec.name("env") + " has an entry without a name")),
          variable.text("value").orElse(""));
    }
    return environment;
  }

  private static String string(Object value, String field) {
    if (value instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException(field + " has an item that is not a string");
  }

  private static String info(
      String apiVersion, boolean interactive, Value.@Nullable Mapping cluster) {
    var spec = new LinkedHashMap<String, Value>();
    if (cluster != null) {
      spec.put("cluster", cluster);
    }
    spec.put("interactive", new Value.Bool(interactive));
    var info = new LinkedHashMap<String, Value>();
    info.put("kind", new Value.Text("ExecCredential"));
    info.put("apiVersion", new Value.Text(apiVersion));
    info.put("spec", new Value.Mapping(spec));
    return Json.write(new Value.Mapping(info));
  }

  /// Runs the plugin. An interactive plugin gets the terminal as its stdin and stderr, and may use
  /// the run's remaining time. Any other plugin is also limited to a minute.
  ///
  /// @throws Unreachable.Explained if the plugin returns no credential; the message contains the
  ///   plugin's output and how to install it
  ExecCredential run(TimeBudget timeBudget) throws IOException {
    var program = new ProcessBuilder(command);
    if (interactive) {
      program.redirectInput(Redirect.INHERIT).redirectError(Redirect.INHERIT);
    }
    program.environment().keySet().removeIf(variable -> variable.startsWith("FAIRWINDS_TOKEN"));
    program.environment().putAll(environment);
    program.environment().put(INFO, info);
    var started = timeBudget.nanoTime();
    var result =
        run(
            program,
            () ->
                !timeBudget.allowance(Duration.ZERO).isPositive()
                    || timeBudget.over().isPresent()
                    || (!interactive && timeBudget.nanoTime() - started > LIMIT.toNanos()));
    if (result.exitCode() == ChildProcess.Result.STOPPED) {
      throw failed(
          timeBudget.over().isPresent()
              ? "was stopped at the end of the run"
              : "did not end within " + LIMIT.toSeconds() + " s and was stopped",
          redactedStderr(program, result));
    }
    if (result.exitCode() != 0) {
      throw failed("failed with exit code " + result.exitCode(), redactedStderr(program, result));
    }
    try {
      return ExecCredential.parse(result.stdout(), apiVersion);
    } catch (IllegalArgumentException e) {
      throw failed(String.valueOf(e.getMessage()), redactedStderr(program, result));
    }
  }

  private ChildProcess.Result run(ProcessBuilder program, BooleanSupplier over) throws IOException {
    try {
      return ChildProcess.run(program, over);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException _) {
      throw failed("cannot be started; check that it is installed, executable and in PATH", "");
    }
  }

  private Unreachable.Explained failed(String how, String said) {
    return new Unreachable.Explained(
        "the kubeconfig's credential plugin "
            + name
            + " "
            + how
            + (said.isEmpty() ? "" : ": " + said)
            + installHint.map(hint -> "; " + Redaction.redact(hint)).orElse(""));
  }

  /// Returns the end of the plugin's stderr, in one line and without text that may be a secret.
  private String redactedStderr(ProcessBuilder program, ChildProcess.Result result) {
    var said = result.stderr();
    for (var variable : program.environment().entrySet()) {
      var value = variable.getValue();
      if (value.length() >= SHORTEST_SECRET
          && (environment.containsKey(variable.getKey())
              || SECRET_VARIABLE.matcher(variable.getKey()).matches())) {
        said = said.replace(value, "…");
      }
    }
    var shown = OPAQUE.matcher(said).replaceAll("…").strip();
    return Redaction.redact(
        shown.length() <= LONGEST_STDERR
            ? shown
            : "…" + shown.substring(shown.length() - LONGEST_STDERR));
  }
}
