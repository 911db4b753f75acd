package dev.policysync.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.policysync.plan.RemovalHistory.Note;
import dev.policysync.plan.RemovalHistory.Removed;
import dev.policysync.plan.RemovalHistory.Withheld;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RemovalHistoryTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:30:00Z");
  private static final Note OF_TWENTY = new Note(Optional.empty(), 0, 20);

  private final RemovalBudget fifth = RemovalBudget.DEFAULT;

  @Test
  void countsWhatWasRemovedLately() {
    var history = removed(2, NOW);

    assertThat(history.allows(fifth, 2, 18)).isTrue();
    assertThat(history.allows(fifth, 3, 18)).isFalse();
  }

  @Test
  void measuresByWhatWasOwnedWhenTheFirstRemovalBegan() {
    assertThat(removed(2, NOW).allows(fifth, 3, 1_000)).isFalse();
  }

  @Test
  void measuresByNoMoreThanWouldBeOwnedHadNothingBeenRemoved() {
    assertThat(removed(2, NOW).allows(fifth, 2, 18)).as("4 of 20").isTrue();
    assertThat(removed(2, NOW).allows(fifth, 2, 17)).as("4 of 19").isFalse();
  }

  @Test
  void measuresByWhatIsNotedWhileRemovalsArePending() {
    var history = RemovalHistory.NONE.with(new Note(Optional.of(20), 0, 0), NOW);

    assertThat(history.allows(fifth, 4, 1_000)).isTrue();
    assertThat(history.allows(fifth, 5, 1_000)).isFalse();
  }

  @Test
  void countsWhatWasWithheldTogether() {
    var history = RemovalHistory.NONE.with(new Note(Optional.of(20), 5, 0), NOW);

    assertThat(history.allows(fifth, 1, 20)).isFalse();
    assertThat(history.at(NOW.plus(Duration.ofHours(24))).allows(fifth, 1, 20)).isTrue();
  }

  @Test
  void countsARemovalForADayFromTheEndOfItsHalfHourOn() {
    var history = removed(4, NOW.plus(Duration.ofMinutes(29)));

    assertThat(history.at(NOW.plus(Duration.ofMinutes(24 * 60 + 29)))).isEqualTo(history);
    assertThat(history.at(NOW.plus(Duration.ofMinutes(24 * 60 + 30))))
        .isEqualTo(RemovalHistory.NONE);
  }

  @Test
  void countsWhatAClockAheadNotedForADayFromNowOn() {
    var history = removed(4, NOW.plus(Duration.ofDays(300)));

    assertThat(history.at(NOW)).isEqualTo(removed(4, NOW));
  }

  @Test
  void keepsOneEntryForHalfAnHour() {
    var history = RemovalHistory.NONE;
    for (int i = 0; i < 6; i++) {
      history =
          history.removing(
              1, new Note(Optional.empty(), 0, 20 - i), NOW.plus(Duration.ofMinutes(i * 5L)));
    }

    assertThat(history.removed()).containsExactly(new Removed(NOW, 6, 20));
  }

  @Test
  void hasNoMoreEntriesThanHalfHoursInItsWindow() {
    var history = RemovalHistory.NONE;
    for (int i = 0; i < 5_000; i++) {
      var now = NOW.plus(Duration.ofMinutes(i * 5L));
      history = history.at(now).removing(1, OF_TWENTY, now);
    }

    assertThat(history.removed()).hasSize(49);
  }

  @Test
  void takesBackWhatWasNotDone() {
    var begun = List.of("a", "b", "c");
    var history =
        removed(2, NOW).removing(3, OF_TWENTY, NOW.plus(Duration.ofHours(1))).beginning(begun);

    assertThat(history.forget(List.of("b")).removed())
        .containsExactly(
            new Removed(NOW, 2, 20), new Removed(NOW.plus(Duration.ofHours(1)), 2, 20));
    assertThat(history.forget(List.of("b")).begun()).containsExactly("a", "c");
    assertThat(history.forget(begun)).isEqualTo(removed(2, NOW));
    assertThat(history.forget(List.of("a", "b", "c", "d"))).isEqualTo(removed(1, NOW));
  }

  @Test
  void judgesWhatWasBegunByWhatStays() {
    var history = RemovalHistory.NONE.removing(3, OF_TWENTY, NOW).beginning(List.of("a", "b", "c"));

    assertThat(history.settleBegun(Set.of("b", "x"))).isEqualTo(removed(2, NOW));
    assertThat(history.confirm(List.of("a")).settleBegun(Set.of("a", "b", "c")))
        .as("what is known to be done")
        .isEqualTo(removed(1, NOW));
  }

  @Test
  void keepsWhatIsOpenWhenMoreIsBegun() {
    var history = RemovalHistory.NONE.removing(1, OF_TWENTY, NOW).beginning(List.of("a"));

    assertThat(history.beginning(List.of("b")).begun()).containsExactly("a", "b");
  }

  @Test
  void notesWhatIsStillWithheldOnceAnHour() {
    var note = new Note(Optional.of(20), 5, 0);
    var history = RemovalHistory.NONE.with(note, NOW);
    var hour = NOW.plus(Duration.ofHours(1));

    assertThat(history.with(note, hour.minusSeconds(1))).isEqualTo(history);
    assertThat(history.with(note, hour).withheld()).contains(new Withheld(5, hour));
    assertThat(history.with(note, NOW.minusSeconds(1)).withheld())
        .as("a clock was ahead")
        .contains(new Withheld(5, NOW.minusSeconds(1)));
  }

  @Test
  void explainsWhatIsRequestedWhatCountsAndWhatIsAllowed() {
    var held = RemovalHistory.NONE.with(new Note(Optional.of(20), 5, 0), NOW);

    assertThat(RemovalHistory.NONE.explain(RemovalBudget.DEFAULT, 5, 20))
        .isEqualTo("5 requested; MAX_REMOVALS=20% allows 4 of 20");
    assertThat(RemovalHistory.NONE.explain(new RemovalBudget.Count(3), 5, 20))
        .isEqualTo("5 requested; MAX_REMOVALS=3 allows 3 of 20");
    assertThat(removed(2, NOW).explain(RemovalBudget.DEFAULT, 1, 8))
        .isEqualTo(
            "1 requested and 2 removed in the last 24 hours; MAX_REMOVALS=20% allows 2 of 10");
    assertThat(held.explain(RemovalBudget.DEFAULT, 4, 20))
        .isEqualTo("5 requested together in the last 24 hours; MAX_REMOVALS=20% allows 4 of 20");
  }

  @Test
  void forgetsWhatWasWithheldOnceNothingIs() {
    var held = RemovalHistory.NONE.with(new Note(Optional.of(20), 5, 0), NOW);

    assertThat(held.with(Note.NONE, NOW)).isEqualTo(RemovalHistory.NONE);
  }

  @Test
  void doesNotOverflow() {
    var history = removed(Integer.MAX_VALUE, NOW).removing(9, OF_TWENTY, NOW);

    assertThat(history.allows(new RemovalBudget.Count(100), 1, 20)).isFalse();
  }

  @Test
  void knowsWhatAPersonApprovedOfWhatWaits() {
    var history = RemovalHistory.NONE.deferring(Set.of("e", "f"), NOW);

    assertThat(history.dependencyChangedAt()).contains(NOW);
    assertThat(history.approved("e")).isTrue();
    assertThat(history.approved("other")).isFalse();
    assertThat(history.approvedOnly(Set.of("f", "other")).approved("e")).isFalse();
    assertThat(history.approvedOnly(Set.of("f", "other")).approved("f")).isTrue();
    assertThat(history.deferringNone()).isEqualTo(RemovalHistory.NONE);
  }

  /// However often what it waits for changes.
  @Test
  void forgetsAfterADayWhatAPersonApprovedOfWhatWaits() {
    var later = NOW.plus(Duration.ofHours(23));
    var history = RemovalHistory.NONE.deferring(Set.of("e"), NOW).deferring(Set.of("e"), later);
    var day = NOW.plus(Duration.ofHours(24));

    assertThat(history.dependencyChangedAt()).contains(later);
    assertThat(history.at(day.minusSeconds(1)).approved("e")).isTrue();
    assertThat(history.at(day).approved("e")).isFalse();
    assertThat(history.at(day).dependencyChangedAt()).contains(later);
  }

  @Test
  void countsTheDayOfAnApprovalThatAClockAheadNotedFromNowOn() {
    var history = RemovalHistory.NONE.deferring(Set.of("e"), NOW.plusSeconds(3_600)).at(NOW);

    assertThat(history.at(NOW.plus(Duration.ofHours(24))).approved("e")).isFalse();
  }

  @Test
  void refusesWhatIsNoCount() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Removed(NOW, -1, 20));
    assertThatIllegalArgumentException().isThrownBy(() -> new Removed(NOW, 1, -20));
  }

  private static RemovalHistory removed(int count, Instant at) {
    return new RemovalHistory(
        Optional.empty(), Optional.empty(), List.of(new Removed(at, count, 20)));
  }
}
