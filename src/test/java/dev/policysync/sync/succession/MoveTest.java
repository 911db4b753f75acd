package dev.policysync.sync.succession;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.cli.Golden;
import dev.policysync.policy.Succession.Stage;
import dev.policysync.sync.succession.Move.Form;
import dev.policysync.sync.succession.Move.Legacy;
import dev.policysync.sync.succession.Move.Reports;
import dev.policysync.sync.succession.Move.Rule;
import dev.policysync.sync.succession.Move.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every state that a policy with two successors can be described by, whether it can be reached or
/// not.
class MoveTest {
  private static final List<Move> ALL = all();

  private static final Pattern RULE = Pattern.compile("((?: {4}/// .+\n)+) {4}([A-Z_]+)\\(");

  @Test
  void theTableInTheDocsIsThatOfTheCode() throws IOException {
    var source =
        Files.readString(Path.of("src/main/java/dev/policysync/sync/succession/Move.java"));
    var table = new StringBuilder("| if | the next run applies |\n|---|---|\n");
    var rules = new ArrayList<String>();
    for (var rule : RULE.matcher(source).results().toList()) {
      var text = rule.group(1).replace("    /// ", "").strip().replace("\n", " ").split(" → ", -1);
      rules.add(rule.group(2));
      table.append("| %s | %s |\n".formatted(text[0], text[1]));
    }

    assertThat(rules).containsExactlyElementsOf(Stream.of(Rule.values()).map(Rule::name).toList());
    Golden.assertBlockEqual(Path.of("docs", "convert.md"), "moves", table.toString());
  }

  @Test
  void everyRuleAppliesToAState() {
    var met = EnumSet.noneOf(Rule.class);
    ALL.forEach(move -> met.add(move.rule()));

    assertThat(met).containsExactly(Rule.values());
  }

  /// A successor stops blocking only while Kyverno executes the policy.
  @Test
  void noSuccessorGoesBackToAuditUnlessThePolicyBlocks() {
    for (var move : ALL) {
      if (move.step() instanceof Step.Beside(var stages)) {
        for (int i = 0; i < stages.size(); i++) {
          if (blocks(move.successors().get(i)) && stages.get(i) == Stage.REHEARSAL) {
            assertThat(move.effective() && move.legacy() == Legacy.THERE).as("%s", move).isTrue();
          }
        }
      }
    }
  }

  @Test
  void noPolicyGoesUnlessItsSuccessorsBlockAndAreReady() {
    for (var move : ALL) {
      if (move.legacy() == Legacy.THERE && move.step() instanceof Step.Alone) {
        assertThat(move.successors()).as("%s", move).containsOnly(Form.FINAL);
        assertThat(move.ready() && move.exempted() && move.asWritten()).as("%s", move).isTrue();
      }
    }
  }

  /// With the policy beside it, only what was rehearsed as it is, exceptions included, and agreed.
  @Test
  void nothingBeginsToBlockUnrehearsed() {
    for (var move : ALL) {
      if (move.legacy() != Legacy.THERE || !(move.step() instanceof Step.Beside(var stages))) {
        continue;
      }
      for (int i = 0; i < stages.size(); i++) {
        if (!blocks(move.successors().get(i)) && stages.get(i) == Stage.SIDE_BY_SIDE) {
          assertThat(move.successors()).as("%s", move).isSubsetOf(Form.REHEARSING, Form.FINAL);
          assertThat(move.asWritten() && move.exempted() && move.ready()).as("%s", move).isTrue();
          assertThat(move.rested()).as("%s", move).isTrue();
          assertThat(move.reports() == Reports.DIFFER && move.executed()).as("%s", move).isFalse();
        }
      }
    }
  }

  /// Each step, done as it says, leads to the next one until the successors are alone.
  @Test
  void everyMoveEndsWhereNothingStandsInItsWay() {
    for (var move : ALL) {
      var at = move;
      var steps = 0;
      while (!(at.step() instanceof Step.Alone) && at.rule() != Rule.FOREIGN) {
        at = after(at);
        assertThat(steps++).as("%s", move).isLessThan(4);
      }
    }
  }

  /// The state once the step is done, Kyverno is ready, and reports agree.
  private static Move after(Move move) {
    var stages =
        move.step() instanceof Step.Beside(var given)
            ? given
            : move.successors().stream().map(_ -> Stage.REHEARSAL).toList();
    return new Move(
        Legacy.THERE,
        true,
        true,
        true,
        stages.stream()
            .map(stage -> stage == Stage.REHEARSAL ? Form.REHEARSING : Form.FINAL)
            .toList(),
        List.of(),
        true,
        true,
        Reports.AGREE,
        true);
  }

  private static boolean blocks(Form form) {
    return form == Form.FINAL || form == Form.APPLIED;
  }

  private static List<Move> all() {
    var all = new ArrayList<Move>();
    for (var legacy : Legacy.values()) {
      for (var one : Form.values()) {
        for (var other : Form.values()) {
          for (var former : former()) {
            for (int bits = 0; bits < 64; bits++) {
              var rested = (bits & 16) > 0;
              for (var reports : Reports.values()) {
                // Reports agree once the rehearsal is over.
                if (rested || reports != Reports.AGREE) {
                  all.add(
                      new Move(
                          legacy,
                          (bits & 1) > 0,
                          (bits & 2) > 0 || (bits & 32) > 0,
                          (bits & 3) == 3 && legacy == Legacy.THERE,
                          List.of(one, other),
                          former,
                          (bits & 4) > 0,
                          (bits & 8) > 0,
                          reports,
                          rested));
                }
              }
            }
          }
        }
      }
    }
    return List.copyOf(all);
  }

  private static List<List<Form>> former() {
    return Stream.of(List.<Form>of(), List.of(Form.APPLIED), List.of(Form.REHEARSED)).toList();
  }
}
