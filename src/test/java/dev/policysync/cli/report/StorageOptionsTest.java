package dev.policysync.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.cli.Invocation;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.report.FakeFindings;
import dev.policysync.report.view.Storage;
import dev.policysync.report.view.ViewSamples;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorageOptionsTest {
  private final Storage storage = Storage.of(ViewSamples.few());

  @Test
  void estimatesNothingUnlessAsked() {
    assertThat(question("--storage").estimate(storage)).isEmpty();
  }

  @Test
  void estimatesForPodsAndPolicies() {
    assertThat(question("--storage", "--pods", "100", "--policies=7").estimate(storage))
        .contains(storage.estimate(100, 7));
  }

  @Test
  void takesAsManyPoliciesAsHaveResultsNow() {
    assertThat(question("--storage", "--pods", "100").estimate(storage))
        .contains(storage.estimate(100, 13 / 9.0));
  }

  @Test
  void needsPoliciesWhereThereIsNothingToMeasure() {
    var question = question("--storage", "--pods", "100");

    assertThatThrownBy(() -> question.estimate(Storage.of(FakeFindings.none(Map.of()))))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("--policies");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "many", "1e3", "10000001", "99999999999999999999"})
  void refusesWhatIsNoNumberOfPods(String pods) {
    assertThatThrownBy(() -> question("--storage", "--pods=" + pods))
        .isInstanceOf(InvalidSettings.class)
        .hasMessage("--pods must be a number from 1 to 10000000");
  }

  @Test
  void refusesOptionsThatMeanNothingTogether() {
    assertThatThrownBy(() -> question("--pods", "5"))
        .isInstanceOf(InvalidSettings.class)
        .hasMessage("--pods requires --storage");
    assertThatThrownBy(() -> question("--storage", "--policies", "5"))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("--policies requires --pods");
    assertThatThrownBy(() -> question("--storage", "-o", "html"))
        .isInstanceOf(InvalidSettings.class)
        .hasMessage("--storage supports the output formats text and json, not html");
  }

  private static StorageOptions question(String... options) {
    var arguments = new String[options.length + 1];
    arguments[0] = "report";
    System.arraycopy(options, 0, arguments, 1, options.length);
    return switch (Invocation.of(arguments)) {
      case Invocation.Run run -> StorageOptions.of(run);
      case Invocation.Print(var text, _) -> throw new AssertionError(text);
    };
  }
}
