package dev.policysync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunIdTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String TRACEPARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";

  @Test
  void isAnotherOneEachTime() {
    var id = RunId.of(Map.of());

    assertThat(id.text()).matches("[0-9a-f]{8}").isEqualTo(id.holder());
    assertThat(id.traceparent()).isEmpty();
    assertThat(RunId.of(Map.of())).isNotEqualTo(id);
  }

  @Test
  void isTheTraceIdWhereThereIsATrace() {
    var id = RunId.of(Map.of("TRACEPARENT", TRACEPARENT));

    assertThat(id.text()).isEqualTo(TRACE);
    assertThat(id).hasToString(TRACE);
    assertThat(id.traceparent()).contains(TRACEPARENT);
  }

  /// Two runs of one trace must not take each other's Lease for theirs.
  @Test
  void holdsTheLeaseUnderANameOfItsOwnAllTheSame() {
    var environment = Map.of("TRACEPARENT", TRACEPARENT);
    var id = RunId.of(environment);

    assertThat(id.holder()).matches("[0-9a-f]{8}");
    assertThat(RunId.of(environment).holder()).isNotEqualTo(id.holder());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "4bf92f3577b34da6a3ce929d0e0e4736",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\nX-Evil: 1",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more"
      })
  void isNoTraceWhereTheHeaderWouldBeWrong(String traceparent) {
    var id = RunId.of(Map.of("TRACEPARENT", traceparent));

    assertThat(id.text()).matches("[0-9a-f]{8}");
    assertThat(id.traceparent()).isEmpty();
  }
}
