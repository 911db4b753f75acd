package dev.policysync.cli.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.RunId;
import dev.policysync.sync.Summary;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The summary's line stays within what log pipelines take, and says what it lacks.
class SummaryJsonTest {
  private static final RunId RUN = RunId.of(Map.of());
  private static final int LINE = 64 << 10;
  private static final String TAKEN =
      "an object of this name exists and is not managed by policy-sync; remove it, or set"
          + " ADOPT=always";

  @Test
  void shortensListsAndCountsTheRestByReason() throws IOException {
    var conflicts = new ArrayList<>(conflicts(3_000, TAKEN));
    conflicts.addLast(new Summary.Note("ClusterPolicy/other", "another source applied it"));

    var line = SummaryJson.write(SummaryFixtures.withConflicts(conflicts), RUN, Optional.empty());

    assertThat(line.getBytes(UTF_8).length).isLessThanOrEqualTo(LINE);
    var summary = parse(line);
    assertThat(summary.items("conflicts")).hasSize(200);
    assertThat(summary.items("conflicts").getLast().toString()).contains("ClusterPolicy/other");
    assertThat(omitted(summary, "conflicts")).containsExactly("2801 " + TAKEN);
  }

  @Test
  void keepsToItsLengthWhateverTheReasonsAre() throws IOException {
    var conflicts =
        IntStream.range(0, 5_000).mapToObj(i -> note(i, i + "😀".repeat(3_000))).toList();

    var line = SummaryJson.write(SummaryFixtures.withConflicts(conflicts), RUN, Optional.empty());

    assertThat(line.getBytes(UTF_8).length).isLessThanOrEqualTo(LINE);
    var summary = parse(line);
    assertThat(summary.items("conflicts")).isNotEmpty();
    assertThat(counted(summary)).isEqualTo(5_000);
  }

  @Test
  void countsChangesOnceInTheListOfTheirNames() throws IOException {
    var line = SummaryJson.write(SummaryFixtures.firstSync(1_000), RUN, Optional.empty());

    var summary = parse(line);
    assertThat(summary.text("summary").orElseThrow()).startsWith("Applied 1000,");
    // With 200 of each the warnings and impacts of a first sync are too long.
    assertThat(summary.items("applied")).hasSize(100);
    assertThat(summary.items("changes")).hasSize(100);
    assertThat(omitted(summary, "applied")).containsExactly("900 new");
    assertThat(omitted(summary, "changes")).isEmpty();
  }

  @Test
  void leavesOutNothingInTheFile() throws IOException {
    var summary = SummaryFixtures.withConflicts(conflicts(3_000, TAKEN));

    var whole = parse(SummaryJson.writeWhole(summary, RUN, Optional.empty()));

    assertThat(whole.items("conflicts")).hasSize(3_000);
    assertThat(whole.items("omitted")).isEmpty();
  }

  private static int counted(Value.Mapping summary) {
    return summary.items("conflicts").size()
        + omitted(summary, "conflicts").stream()
            .mapToInt(entry -> Integer.parseInt(entry.split(" ", 2)[0]))
            .sum();
  }

  /// `800 new`.
  private static List<String> omitted(Value.Mapping summary, String list) {
    return summary.items("omitted").stream()
        .map(Value.Mapping.class::cast)
        .filter(entry -> entry.text("list").equals(Optional.of(list)))
        .map(entry ->
            ((Value.Numeric) entry.field("count").orElseThrow()).literal()
                + " "
                + entry.text("reason").orElse(""))
        .toList();
  }

  private static List<Summary.Note> conflicts(int count, String reason) {
    return IntStream.range(0, count).mapToObj(i -> note(i, reason)).toList();
  }

  private static Summary.Note note(int i, String reason) {
    return new Summary.Note(
        PolicyId.of(PolicyKind.CLUSTER_POLICY, "policy-" + i).toString(), reason);
  }

  private static Value.Mapping parse(String line) throws IOException {
    return Json.object(new ByteArrayInputStream(line.getBytes(UTF_8)));
  }
}
