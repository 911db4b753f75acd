package dev.policysync.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScenarioSelectionTest {
  @Test
  void onlyARunOfEverythingIsForThePage() {
    assertThat(ScenarioSelection.of(List.of()).everything()).isTrue();
    assertThat(ScenarioSelection.of(List.of("--only=noop-0")).everything()).isFalse();
    assertThat(ScenarioSelection.of(List.of("--repetitions=1")).everything()).isFalse();
  }

  @Test
  void keepsTheOrderOfTheTable() {
    var scenarioSelection =
        ScenarioSelection.of(List.of("--only=first-100,noop-0", "--repetitions=2"));

    assertThat(scenarioSelection.scenarios())
        .extracting(Scenario::id)
        .containsExactly("noop-0", "first-100");
    assertThat(scenarioSelection.scenarios())
        .extracting(scenarioSelection::repetitions)
        .containsOnly(2);
  }

  @Test
  void measuresWithKyvernoApart() {
    var scenarioSelection = ScenarioSelection.of(List.of("--kyverno"));

    assertThat(scenarioSelection.everything()).isTrue();
    assertThat(scenarioSelection.scenarios()).isNotEmpty().allMatch(Scenario::kyverno);
    assertThat(ScenarioSelection.of(List.of()).scenarios()).noneMatch(Scenario::kyverno);
  }

  @Test
  void measuresHowItGrowsApart() {
    var scenarioSelection = ScenarioSelection.of(List.of("--growth", "--only=noop-20000"));

    assertThat(scenarioSelection.suite()).isEqualTo(Suite.GROWTH);
    assertThat(scenarioSelection.scenarios()).extracting(Scenario::policies).containsOnly(20_000);
  }

  @Test
  void saysWhatThereIsToChooseFrom() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ScenarioSelection.of(List.of("--only=noop-7")))
        .withMessageStartingWith("there is no noop-7; there are: noop-0, noop-1, ");
  }
}
