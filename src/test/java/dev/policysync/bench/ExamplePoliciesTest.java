package dev.policysync.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.policysync.base.Value;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExamplePoliciesTest {
  private ExamplePolicies policies;

  @BeforeEach
  void read() throws IOException {
    policies = ExamplePolicies.from(Path.of("examples", "policies"));
  }

  @Test
  void areAllDifferentInNameAndSpec() {
    var read = read(policies.documents(1_000, 0));

    assertThat(read).extracting(Policy::id).doesNotHaveDuplicates();
    assertThat(
            new HashSet<>(read.stream().map(policy -> policy.content().mapping("spec")).toList()))
        .hasSize(1_000);
  }

  @Test
  void areOfTheKindsThatACompanyHas() {
    var kinds =
        read(policies.documents(100, 0)).stream()
            .collect(Collectors.groupingBy(policy -> policy.id().kind(), Collectors.counting()));

    assertThat(kinds)
        .containsOnly(
            entry(PolicyKind.CLUSTER_POLICY, 60L),
            entry(PolicyKind.VALIDATING_POLICY, 25L),
            entry(PolicyKind.NAMESPACED_POLICY, 10L),
            entry(PolicyKind.VALIDATING_ADMISSION_POLICY, 5L));
  }

  @Test
  void areTwoToFourKilobytesLong() {
    assertThat(policies.documents(1_000, 0))
        .allSatisfy(text -> assertThat(text).hasSizeBetween(1_900, 4_400));
  }

  @Test
  void areTheSameForASmallerFeed() {
    assertThat(policies.documents(5_000, 0).subList(0, 100)).isEqualTo(policies.documents(100, 0));
  }

  @Test
  void oneOfAHundredChangesItsSpecWithARelease() {
    var before = read(policies.documents(1_000, 3));
    var after = read(policies.documents(1_000, 4));

    var changed =
        IntStream.range(0, 1_000)
            .filter(number -> !spec(before.get(number)).equals(spec(after.get(number))))
            .boxed();

    assertThat(changed).containsExactly(0, 100, 200, 300, 400, 500, 600, 700, 800, 900);
  }

  private static Value spec(Policy policy) {
    return policy.content().mapping("spec");
  }

  private static List<Policy> read(List<String> documents) {
    return documents.stream().map(Documents::policy).toList();
  }
}
