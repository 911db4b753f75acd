package dev.policysync.convert.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Runs Kyverno's command line, which evaluates policies on resources without a cluster. Starting
/// it takes most of a second, so each call has many resources.
final class KyvernoCli {
  private static final Pattern REPORT = Pattern.compile("\\{\"kind\":\"(Cluster|Policy)Report\"");

  private final Path program;

  KyvernoCli(Path program) {
    this.program = program;
  }

  /// One result of a policy report.
  ///
  /// @param source the engine that gives the result: `kyverno`, `KyvernoValidatingPolicy`
  /// @param rule empty for policies of policies.kyverno.io
  /// @param resource the resource: `apps/v1/Deployment/shop/web`
  record Result(
      String source,
      String policy,
      Optional<String> rule,
      String resource,
      Verdict verdict,
      String message) {}

  /// Returns the results of the policies for these resources.
  ///
  /// @param operation the operation of the requests; CREATE if there is none
  /// @param context what the policies read from the cluster
  List<Result> apply(
      List<Value.Mapping> policies,
      List<Value.Mapping> exceptions,
      List<Value.Mapping> resources,
      Optional<String> operation,
      ClusterContext context) {
    try {
      var folder = Files.createTempDirectory("kyverno-cli");
      try {
        return apply(folder, policies, exceptions, resources, operation, context);
      } finally {
        remove(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Result> apply(
      Path folder,
      List<Value.Mapping> policies,
      List<Value.Mapping> exceptions,
      List<Value.Mapping> resources,
      Optional<String> operation,
      ClusterContext context)
      throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                program.toString(),
                "apply",
                CliFiles.write(folder.resolve("policies.yaml"), policies).toString(),
                "--resource=" + CliFiles.write(folder.resolve("resources.yaml"), resources),
                "--policy-report",
                "--output-format=json",
                "--remove-color"));
    if (!exceptions.isEmpty()) {
      command.add("--exceptions=" + CliFiles.write(folder.resolve("exceptions.yaml"), exceptions));
    }
    command.addAll(new CliFiles(folder).of(policies, resources, operation, context));
    var err = folder.resolve("err");
    var process = new ProcessBuilder(command).redirectError(err.toFile()).start();
    process.getOutputStream().close();
    var out = new String(process.getInputStream().readAllBytes(), UTF_8);
    // There is one report for all policies without a namespace, and one for each result of others.
    var reports = out.lines().filter(line -> REPORT.matcher(line).lookingAt()).toList();
    var said = Files.readString(err);
    if (said.contains("Non-fatal parsing error")) {
      throw new IllegalStateException("Kyverno refuses what it was given:\n" + said);
    }
    var code = exitCode(process);
    if (reports.isEmpty() && out.isBlank() && code == 0) {
      return List.of();
    }
    // Exit code 1 says that something failed.
    if (reports.isEmpty() || code > 1) {
      throw new IllegalStateException(
          "no report from Kyverno, exit code " + code + ":\n" + out + said);
    }
    var results = new ArrayList<Result>();
    for (var report : reports) {
      results.addAll(results((Value.Mapping) Json.parse(report)));
    }
    return results;
  }

  private static int exitCode(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while Kyverno judges", e);
    }
  }

  private static List<Result> results(Value.Mapping report) {
    var results = new ArrayList<Result>();
    for (var result : report.mappings("results")) {
      for (var resource : result.mappings("resources")) {
        results.add(
            new Result(
                result.text("source").orElse(""),
                result.text("policy").orElse(""),
                result.text("rule"),
                id(
                    resource.text("apiVersion").orElse(""),
                    resource.text("kind").orElse(""),
                    resource.text("namespace").orElse(""),
                    resource.text("name").orElse("")),
                Verdict.of(result.text("result").orElse("")),
                result.text("message").orElse("")));
      }
    }
    return results;
  }

  static String id(Value.Mapping resource) {
    var metadata = resource.mapping("metadata");
    return id(
        resource.text("apiVersion").orElse(""),
        resource.text("kind").orElse(""),
        metadata.text("namespace").orElse(""),
        metadata.text("name").orElse(""));
  }

  private static String id(String apiVersion, String kind, String namespace, String name) {
    return String.join("/", apiVersion, kind, namespace.isEmpty() ? "default" : namespace, name);
  }

  private static void remove(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
