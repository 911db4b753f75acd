package dev.policysync.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class SelectionTest {
  @Test
  void onlyARunOfEverythingIsForThePage() {
    assertThat(Selection.of(List.of()).everything()).isTrue();
    assertThat(Selection.of(List.of("--only=noop-0")).everything()).isFalse();
    assertThat(Selection.of(List.of("--repetitions=1")).everything()).isFalse();
  }

  @Test
  void keepsTheOrderOfTheTable() {
    var selection = Selection.of(List.of("--only=first-100,noop-0", "--repetitions=2"));

    assertThat(selection.scenarios())
        .extracting(Scenario::id)
        .containsExactly("noop-0", "first-100");
    assertThat(selection.scenarios()).extracting(selection::repetitions).containsOnly(2);
  }

  @Test
  void measuresWithKyvernoApart() {
    var selection = Selection.of(List.of("--kyverno"));

    assertThat(selection.everything()).isTrue();
    assertThat(selection.scenarios()).isNotEmpty().allMatch(Scenario::kyverno);
    assertThat(Selection.of(List.of()).scenarios()).noneMatch(Scenario::kyverno);
  }

  @Test
  void saysWhatThereIsToChooseFrom() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Selection.of(List.of("--only=noop-7")))
        .withMessageStartingWith("there is no noop-7; there are: noop-0, noop-1, ");
  }
}
