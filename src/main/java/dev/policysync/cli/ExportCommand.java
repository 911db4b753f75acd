package dev.policysync.cli;

import dev.policysync.base.Json;
import dev.policysync.base.yaml.YamlText;
import dev.policysync.inspect.ExclusionReason;
import dev.policysync.inspect.Export;
import dev.policysync.inspect.ExportSelection;
import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// `export`: prints the cluster's policies to stdout and messages about them to stderr.
///
/// Printing starts only after everything was read, and the last line marks the export as complete.
/// So a missing permission or a full disk cannot leave a file that only looks like a backup.
public final class ExportCommand implements RunningCommand {
  /// The start of the last line of a complete export; the counts follow.
  private static final String END = "# End of the export: ";

  private final Invocation.Run invocation;
  private final Output out;
  private final Output err;

  public ExportCommand(Invocation.Run invocation, Output out, Output err) {
    this.invocation = invocation;
    this.out = out;
    this.err = err;
  }

  public ExportSelection selection() {
    return invocation.has(CommandOption.ALL) ? ExportSelection.ALL : ExportSelection.OURS;
  }

  public ExitCode run(Supplier<Export> export) {
    return switch (export.get()) {
      case Export.Whole whole -> print(whole);
      case Export.Failed(var failures) -> {
        printFailure(failures.stream().map(Failure::reason).toList());
        yield ExitCode.FAILED;
      }
    };
  }

  @Override
  public ExitCode refuse(List<String> problems) {
    UsageError.print(err, problems);
    return ExitCode.USAGE;
  }

  @Override
  public void printCutOff(String why) {
    printFailure(List.of(why));
  }

  private void printFailure(List<String> reasons) {
    err.println("policy-sync: nothing was exported because some policies could not be read:");
    reasons.forEach(reason -> err.println("  - " + reason));
    err.flush();
  }

  private ExitCode print(Export.Whole whole) {
    if (invocation.output().filter(OutputFormat.JSON::equals).isPresent()) {
      printJson(whole);
    } else {
      printYaml(whole);
    }
    if (out.failed()) {
      err.println("policy-sync: writing to stdout failed; the output is incomplete, discard it");
      err.flush();
      return ExitCode.FAILED;
    }
    err.println("Exported " + counted(whole.policies().size()) + leftOut(whole.leftOut()));
    err.flush();
    return ExitCode.OK;
  }

  private void printYaml(Export.Whole whole) {
    for (var policy : whole.policies()) {
      out.println("---");
      out.document(YamlText.write(policy.manifest()));
    }
    out.println(END + counted(whole.policies().size()) + kinds(whole));
  }

  /// Prints a `List` as kubectl reads and writes it, with one policy per line. JSON needs no last
  /// line that marks it as complete, because half of a JSON document is invalid.
  private void printJson(Export.Whole whole) {
    out.document("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
    var separator = "\n";
    for (var policy : whole.policies()) {
      out.document(separator + Json.write(policy.manifest()));
      separator = ",\n";
    }
    out.document("\n]}\n");
  }

  private static String counted(int policies) {
    return policies == 1 ? "1 policy" : policies + " policies";
  }

  private static String kinds(Export.Whole whole) {
    var counts = new EnumMap<PolicyKind, Integer>(PolicyKind.class);
    whole.policies().forEach(policy -> counts.merge(policy.id().kind(), 1, Integer::sum));
    return counts.entrySet().stream()
        .map(count -> count.getKey().qualified() + " " + count.getValue())
        .collect(
            Collectors.joining(", ", counts.isEmpty() ? "" : " (", counts.isEmpty() ? "" : ")"));
  }

  private static String leftOut(Map<ExclusionReason, Integer> counts) {
    return counts.entrySet().stream()
        .map(count -> count.getValue() + " " + count.getKey())
        .collect(Collectors.joining(", ", counts.isEmpty() ? "" : "; excluded: ", ""));
  }
}
