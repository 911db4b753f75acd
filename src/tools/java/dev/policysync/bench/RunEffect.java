package dev.policysync.bench;

import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import java.util.List;
import java.util.regex.Pattern;

/// What a run of the agent did, by its own summary: numbers of policies.
record RunEffect(int applied, int updated, int unchanged) {
  /// What a scenario is there for. A run that did anything else would be measured for nothing.
  static RunEffect of(Scenario scenario) {
    var policies = scenario.policies();
    return switch (scenario.work()) {
      case NO_OP,
          NO_OP_COMPARED,
          NO_OP_LIMITED,
          NO_OP_OF_IMAGE,
          NO_OP_RUNTIMES_ROOTS,
          NO_OP_ONE_ROOT,
          LINT,
          KUBECTL_AGAIN ->
          new RunEffect(0, 0, policies);
      case DRY_RUN, FIRST_SYNC, FIRST_SYNC_HTTP2, FIRST_SYNC_FAR, KUBECTL_FIRST ->
          new RunEffect(policies, 0, 0);
      case REPORT, REPORT_OF_A_STAND_IN -> new RunEffect(0, 0, 0);
      case TEN_CHANGED -> new RunEffect(0, 10, policies - 10);
    };
  }

  /// @param log of the run, the summary last
  static RunEffect reported(List<String> log) {
    var summary = log.isEmpty() ? Value.Mapping.EMPTY : Documents.json(log.getLast());
    var unchanged =
        summary.field("unchanged").orElse(Value.Null.NULL) instanceof Value.Numeric(var number)
            ? Integer.parseInt(number)
            : 0;
    return new RunEffect(count("Applied", summary), count("Updated", summary), unchanged);
  }

  /// The lists of a long summary are shortened, its counts are not.
  private static int count(String what, Value.Mapping summary) {
    var counted = Pattern.compile(what + " ([0-9]+)").matcher(summary.text("summary").orElse(""));
    return counted.find() ? Integer.parseInt(counted.group(1)) : 0;
  }
}
