package dev.policysync.cli.report;

import dev.policysync.cli.CommandOption;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.report.view.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The options `--pods` and `--policies` of `report --storage`.
///
/// @param pods the number of Pods to estimate for; empty for no estimate
/// @param policies the number of policies per Pod; empty for the average number of results per
///   report
record StorageOptions(Optional<Long> pods, Optional<Long> policies) {
  private static final long MOST = 10_000_000;

  /// Reads the options.
  ///
  /// @throws InvalidSettings if a value is not a number from 1 to 10,000,000, or the options do not
  ///   go together
  static StorageOptions of(Invocation.Run invocation) {
    var problems = new ArrayList<String>();
    var pods = number(invocation, CommandOption.PODS, problems);
    var policies = number(invocation, CommandOption.POLICIES, problems);
    for (var option : List.of(CommandOption.PODS, CommandOption.POLICIES)) {
      if (invocation.has(option) && !invocation.has(CommandOption.STORAGE)) {
        problems.add(option.flag() + " requires --storage");
      }
    }
    if (invocation.has(CommandOption.POLICIES) && !invocation.has(CommandOption.PODS)) {
      problems.add("--policies requires --pods");
    }
    if (invocation.has(CommandOption.STORAGE)) {
      invocation
          .output()
          .filter(format -> format != OutputFormat.TEXT && format != OutputFormat.JSON)
          .ifPresent(format ->
              problems.add(
                  "--storage supports the output formats text and json, not " + format.text()));
    }
    if (!problems.isEmpty()) {
      throw new InvalidSettings(problems);
    }
    return new StorageOptions(pods, policies);
  }

  /// Returns the estimate, if one was requested, from the measured sizes.
  ///
  /// @throws InvalidSettings if `--policies` is missing and the cluster has no reports to measure
  Optional<Storage.Estimate> estimate(Storage storage) {
    if (pods.isPresent() && policies.isEmpty() && !storage.measured()) {
      throw new InvalidSettings(
          List.of("--pods requires --policies: the cluster has no reports to measure"));
    }
    return pods.map(number ->
        storage.estimate(
            number, policies.map(Long::doubleValue).orElseGet(storage::resultsPerReport)));
  }

  private static Optional<Long> number(
      Invocation.Run invocation, CommandOption option, List<String> problems) {
    var text = invocation.argument(option);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (text.get().matches("[0-9]{1,8}")) {
      var number = Long.parseLong(text.get());
      if (number >= 1 && number <= MOST) {
        return Optional.of(number);
      }
    }
    problems.add(option.flag() + " must be a number from 1 to 10000000");
    return Optional.empty();
  }
}
