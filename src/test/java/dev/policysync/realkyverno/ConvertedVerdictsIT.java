package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.convert.Conversion;
import dev.policysync.convert.ConvertedPolicies;
import dev.policysync.convert.Converter;
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

  /// One in so many of these resources is changed as well: in every build a policy's are updated
  /// and the next one's deleted, at length each policy's both.
  private static final int CHANGED = Rounds.of(3, 1);

  private static final List<String> OPERATIONS = List.of("UPDATE", "DELETE");

  private final VerdictComparison comparison =
      new VerdictComparison(KyvernoCliAssets.find().kyverno());

  @TestFactory
  Stream<DynamicTest> bothFormsAgree() {
    return paths().stream()
        .map(path ->
            DynamicTest.dynamicTest(
                path.getFileName().toString(),
                () -> {
                  var conversions = ConvertedPolicies.of(path);
                  var exceptions = exceptions(conversions);
                  IntStream.range(0, conversions.size())
                      .parallel()
                      .filter(number -> !exceptions.contains(conversions.get(number)))
                      .forEach(number -> assertAgree(conversions.get(number), exceptions, number));
                }));
  }

  private void assertAgree(Conversion conversion, List<Conversion> exceptions, int number) {
    var naming =
        exceptions.stream()
            .filter(exception ->
                Converter.namedPolicies(exception.policy()).contains(conversion.policy().id()))
            .toList();
    var written = naming.stream().map(exception -> exception.policy().content()).toList();
    var resources =
        ResourceVariants.of(
            conversion.policy().content(), written, naming.isEmpty() ? EACH : 3 * EACH);
    var comparison = this.comparison.with(naming);
    var outcome =
        comparison
            .compare(conversion, resources, Optional.empty())
            .plus(changed(comparison, conversion, resources, number));

    assertThat(outcome.differences()).isEmpty();
    assertThat(conversion.converted() ? outcome.judged() : 1).isPositive();
  }

  private static List<Conversion> exceptions(List<Conversion> conversions) {
    return conversions.stream()
        .filter(conversion -> Converter.isException(conversion.policy()))
        .toList();
  }

  private static VerdictComparison.Outcome changed(
      VerdictComparison comparison,
      Conversion conversion,
      List<Value.Mapping> resources,
      int turn) {
    var sample =
        IntStream.range(0, resources.size())
            .filter(number -> number % CHANGED == 0)
            .mapToObj(resources::get)
            .toList();
    return OPERATIONS.stream()
        .filter(operation -> Rounds.isTorture() || operation.equals(OPERATIONS.get(turn % 2)))
        .map(operation -> comparison.compare(conversion, sample, Optional.of(operation)))
        .reduce(VerdictComparison.Outcome.NONE, VerdictComparison.Outcome::plus);
  }

  private static List<Path> paths() {
    var folder = System.getProperty("policysync.convert.policies", "");
    return folder.isEmpty() ? ConvertedPolicies.files() : List.of(Path.of(folder));
  }
}
