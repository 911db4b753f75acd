package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.convert.Conversion;
import dev.policysync.convert.ConvertedPolicies;
import dev.policysync.convert.Converter;
import dev.policysync.convert.verification.ResourceVariants;
import dev.policysync.convert.verification.Trial;
import dev.policysync.convert.verification.VerdictComparison;
import dev.policysync.testcluster.KyvernoCliAssets;
import dev.policysync.testcluster.Rounds;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
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

  private static final List<String> OPERATIONS = List.of("UPDATE", "DELETE");

  private static final ProofRecord RECORD = ProofRecord.of(ConvertedVerdictsIT.class);

  private final VerdictComparison comparison =
      new VerdictComparison(KyvernoCliAssets.find().kyverno());

  @AfterAll
  static void endRecord() {
    RECORD.end();
  }

  @TestFactory
  Stream<DynamicTest> bothFormsAgree() {
    return paths().stream()
        .map(path ->
            DynamicTest.dynamicTest(
                path.getFileName().toString(),
                () -> {
                  var conversions = ConvertedPolicies.of(path);
                  var exceptions = exceptions(conversions);
                  conversions.parallelStream()
                      .filter(Conversion::converted)
                      .filter(conversion -> !exceptions.contains(conversion))
                      .forEach(conversion -> prove(conversion, exceptions));
                }));
  }

  private void prove(Conversion conversion, List<Conversion> exceptions) {
    var trials = trials(conversion, exceptions);
    RECORD.prove(
        conversion.policy().id().toString(), Trial.digest(trials), () -> assertAgree(trials));
  }

  private void assertAgree(List<Trial> trials) {
    var outcome =
        trials.stream()
            .map(trial -> trial.outcome(comparison))
            .reduce(VerdictComparison.Outcome.NONE, VerdictComparison.Outcome::plus);

    assertThat(outcome.differences()).isEmpty();
    assertThat(outcome.judged()).isPositive();
  }

  private static List<Trial> trials(Conversion conversion, List<Conversion> exceptions) {
    var naming =
        exceptions.stream()
            .filter(exception ->
                Converter.namedPolicies(exception.policy()).contains(conversion.policy().id()))
            .toList();
    var written = naming.stream().map(exception -> exception.policy().content()).toList();
    var resources =
        ResourceVariants.of(
            conversion.policy().content(), written, naming.isEmpty() ? EACH : 3 * EACH);
    var changed =
        IntStream.range(0, resources.size())
            .filter(number -> number % CHANGED == 0)
            .mapToObj(resources::get)
            .toList();
    var created = new Trial(conversion, naming, resources, Optional.empty());
    return Stream.concat(
            Stream.of(created),
            OPERATIONS.stream()
                .map(operation -> new Trial(conversion, naming, changed, Optional.of(operation))))
        .toList();
  }

  private static List<Conversion> exceptions(List<Conversion> conversions) {
    return conversions.stream()
        .filter(conversion -> Converter.isException(conversion.policy()))
        .toList();
  }

  private static List<Path> paths() {
    var folder = System.getProperty("policysync.convert.policies", "");
    return folder.isEmpty() ? ConvertedPolicies.files() : List.of(Path.of(folder));
  }
}
