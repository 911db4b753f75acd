package dev.policysync.cli.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.TextStyle;
import dev.policysync.sync.RunId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SummaryTextTest {
  private static final String DEPRECATED =
      "! ClusterPolicy/p0: kyverno.io/v1 ClusterPolicy is deprecated";

  @Test
  void newPoliciesWithoutReportDataShareOneWarning() {
    assertThat(warnings(10, false))
        .containsExactly(
            DEPRECATED, "! 10 new policies block requests and have no report data yet");
  }

  @Test
  void oneNewPolicyWithoutReportDataKeepsItsOwnWarning() {
    assertThat(warnings(1, false))
        .containsExactly(
            "! ClusterPolicy/p0 blocks more requests: new with Enforce; no report data: the policy"
                + " is new and has not been evaluated yet",
            DEPRECATED);
  }

  @Test
  void verboseOutputListsEachNewPolicy() {
    assertThat(warnings(10, true)).hasSize(11).contains(DEPRECATED);
  }

  @Test
  void jsonListsEachNewPolicy() {
    assertThat(
            SummaryJson.write(
                SummaryFixtures.firstSync(10), new RunId("3f9a1c2e"), Optional.empty()))
        .contains("ClusterPolicy/p0 blocks more requests", "ClusterPolicy/p9 blocks more requests");
  }

  private static List<String> warnings(int policies, boolean verbose) {
    return SummaryText.write(
            SummaryFixtures.firstSync(policies),
            TextStyle.PLAIN,
            new SummaryText.Detail(OutputFormat.TEXT, false, verbose),
            0)
        .toString()
        .lines()
        .filter(line -> line.startsWith("! "))
        .toList();
  }
}
