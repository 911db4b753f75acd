package dev.policysync.sync.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.sync.analysis.ViolationSource.Violations;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What is said of who breaks a policy now.
class ViolationSourceTest {
  @Test
  void countsTheWorkloadsOfAllNamespacesAndOfNone() {
    var namespaces = new LinkedHashMap<String, Long>();
    namespaces.put("shop", 4L);
    namespaces.put("pay", 2L);
    namespaces.put("", 1L);

    var violations = new Violations(namespaces, List.of(), Optional.empty());

    assertThat(violations.workloads()).isEqualTo(7);
    assertThat(violations.namespaces().keySet())
        .as("in the order that was given")
        .containsExactly("shop", "pay", "");
  }

  @Test
  void isUnavailableWhereNobodyCanBeAsked() {
    assertThat(ViolationSource.UNKNOWN.of(List.of()))
        .isEqualTo(new ViolationSource.Result.Unavailable("no report source is available"));
  }
}
