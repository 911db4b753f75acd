package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.convert.ConvertedPolicies;
import dev.policysync.convert.verification.ResourceVariants;
import dev.policysync.convert.verification.VerdictComparison;
import dev.policysync.testcluster.KyvernoCliAssets;
import dev.policysync.testcluster.Rounds;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// What `convert` writes judges as its origin does: Kyverno's own command line evaluates both on
/// resources that are made of the policies. With `-Dpolicysync.convert.policies=DIR` the policies
/// are those of a folder.
class ConvertedVerdictsIT {
  /// Resources at random, and as many in which one leaf differs.
  private static final int EACH = Rounds.of(4, 10);

  /// One in so many of these resources is updated and deleted as well.
  private static final int CHANGED = Rounds.of(3, 1);

  private final VerdictComparison comparison =
      new VerdictComparison(KyvernoCliAssets.find().kyverno());

  @TestFactory
  Stream<DynamicTest> bothFormsAgree() {
    return paths().stream()
        .map(path ->
            DynamicTest.dynamicTest(
                path.getFileName().toString(),
                () -> {
                  for (var conversion : ConvertedPolicies.of(path)) {
                    var resources = ResourceVariants.of(conversion.policy().content(), EACH);

                    var changed =
                        IntStream.range(0, resources.size())
                            .filter(number -> number % CHANGED == 0)
                            .mapToObj(resources::get)
                            .toList();

                    var created = comparison.compare(conversion, resources, Optional.empty());
                    var updated = comparison.compare(conversion, changed, Optional.of("UPDATE"));
                    var deleted = comparison.compare(conversion, changed, Optional.of("DELETE"));

                    assertThat(created.plus(updated).plus(deleted).differences()).isEmpty();
                    assertThat(conversion.converted() ? created.plus(updated).judged() : 1)
                        .isPositive();
                  }
                }));
  }

  private static List<Path> paths() {
    var folder = System.getProperty("policysync.convert.policies", "");
    return folder.isEmpty() ? ConvertedPolicies.files() : List.of(Path.of(folder));
  }
}
