package dev.policysync.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class RemovalBudgetTest {
  @Test
  void roundsAShareDown() {
    var third = new RemovalBudget.Share(33);

    assertThat(third.allows(9, 30)).isTrue();
    assertThat(third.allows(10, 30)).isFalse();
  }

  @Test
  void allowsTwoByAnyShareButNone() {
    assertThat(new RemovalBudget.Share(1).allows(2, 2)).isTrue();
    assertThat(new RemovalBudget.Share(1).allows(3, 3)).isFalse();
    assertThat(new RemovalBudget.Share(0).allows(1, 1_000)).isFalse();
  }

  @Test
  void doesNotOverflow() {
    assertThat(new RemovalBudget.Share(100).allows(Integer.MAX_VALUE, Integer.MAX_VALUE)).isTrue();
  }

  @Test
  void allowsNoMoreThanItsNumberHoweverManyThereAre() {
    assertThat(new RemovalBudget.Count(1).allows(1, 1)).isTrue();
    assertThat(new RemovalBudget.Count(1).allows(2, 1_000)).isFalse();
  }

  @Test
  void refusesWhatIsNoBudget() {
    assertThatIllegalArgumentException().isThrownBy(() -> new RemovalBudget.Count(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> new RemovalBudget.Share(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> new RemovalBudget.Share(101));
  }

  @Test
  void isAFifthWhereNothingIsSet() {
    assertThat(RemovalBudget.DEFAULT).isEqualTo(new RemovalBudget.Share(20));
  }

  @Test
  void readsAsItIsWritten() {
    assertThat(new RemovalBudget.Share(20)).hasToString("20%");
    assertThat(new RemovalBudget.Count(5)).hasToString("5");
  }
}
