package dev.policysync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.sync.FailingNow.Failing;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What is said of who breaks a policy now.
class FailingNowTest {
  @Test
  void countsTheWorkloadsOfAllNamespacesAndOfNone() {
    var namespaces = new LinkedHashMap<String, Long>();
    namespaces.put("shop", 4L);
    namespaces.put("pay", 2L);
    namespaces.put("", 1L);

    var failing = new Failing(namespaces, List.of(), Optional.empty());

    assertThat(failing.workloads()).isEqualTo(7);
    assertThat(failing.namespaces().keySet())
        .as("in the order that was given")
        .containsExactly("shop", "pay", "");
  }

  @Test
  void isUnavailableWhereNobodyCanBeAsked() {
    assertThat(FailingNow.UNKNOWN.of(List.of()))
        .isEqualTo(new FailingNow.Answer.Unavailable("there is nothing that could be asked"));
  }
}
