package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.convert.Conversion;
import dev.policysync.convert.ConvertedPolicies;
import dev.policysync.judge.ResourceVariants;
import dev.policysync.judge.SeededConversions;
import dev.policysync.judge.VerdictComparison;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// What `convert` writes judges as its origin does: Kyverno's own command line evaluates both on
/// resources that are made of the policies. With `-Dpolicysync.convert.policies=DIR` the policies
/// are those of a folder.
class ConvertedVerdictsIT {
  private static final int EACH = 10;

  private final VerdictComparison comparison = new VerdictComparison();

  @TestFactory
  Stream<DynamicTest> bothFormsAgree() {
    return paths().stream()
        .map(path ->
            DynamicTest.dynamicTest(
                path.getFileName().toString(),
                () -> {
                  for (var conversion : ConvertedPolicies.of(path)) {
                    var resources = ResourceVariants.of(conversion.policy().content(), EACH);

                    var created = comparison.compare(conversion, resources, Optional.empty());
                    var updated = comparison.compare(conversion, resources, Optional.of("UPDATE"));

                    assertThat(created.plus(updated).differences()).isEmpty();
                    assertThat(conversion.converted() ? created.plus(updated).judged() : 1)
                        .isPositive();
                  }
                }));
  }

  @Test
  void everySeededMistakeIsFound() {
    var unnoticed = new ArrayList<String>();
    var seeded = 0;
    for (var file : ConvertedPolicies.files()) {
      for (var conversion : ConvertedPolicies.of(file)) {
        var wrong = SeededConversions.of(conversion);
        seeded += wrong.size();
        unnoticed.addAll(unnoticed(conversion, wrong));
      }
    }

    assertThat(unnoticed).isEmpty();
    assertThat(seeded).isGreaterThanOrEqualTo(30);
  }

  private List<String> unnoticed(Conversion conversion, List<SeededConversions.Seeded> seeded) {
    var resources = ResourceVariants.of(conversion.policy().content(), EACH);
    var wrong = seeded.stream().map(SeededConversions.Seeded::conversion).toList();
    var created = comparison.compareEach(wrong, resources, Optional.empty());
    var updated = comparison.compareEach(wrong, resources, Optional.of("UPDATE"));
    return IntStream.range(0, seeded.size())
        .filter(i -> created.get(i).plus(updated.get(i)).differences().isEmpty())
        .mapToObj(i -> seeded.get(i).mistake())
        .toList();
  }

  private static List<Path> paths() {
    var folder = System.getProperty("policysync.convert.policies", "");
    return folder.isEmpty() ? ConvertedPolicies.files() : List.of(Path.of(folder));
  }
}
