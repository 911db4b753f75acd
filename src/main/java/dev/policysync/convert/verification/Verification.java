package dev.policysync.convert.verification;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.DocumentLimit;
import dev.policysync.base.yaml.YamlDocument;
import dev.policysync.base.yaml.YamlStream;
import dev.policysync.convert.Conversion;
import dev.policysync.convert.verification.VerdictComparison.Difference;
import dev.policysync.policy.Manifest;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Compares the verdicts of a policy and of its successors on resources that are made from the
/// policy, and on given ones: created, updated, deleted.
public final class Verification {
  private static final int EACH = 50;
  private static final long LONGEST_DOCUMENT = 64L << 20;
  private static final int SHOWN = 3;
  private static final List<Optional<String>> OPERATIONS =
      List.of(Optional.empty(), Optional.of("UPDATE"), Optional.of("DELETE"));

  private final VerdictComparison comparison;
  private final List<Value.Mapping> given;

  /// Creates a verification by that program.
  ///
  /// @param kyverno Kyverno's command line 1.19
  /// @param given resources to judge beside those that are made
  public Verification(Path kyverno, List<Value.Mapping> given) {
    this.comparison = new VerdictComparison(kyverno);
    this.given = List.copyOf(given);
  }

  /// The result of a comparison.
  ///
  /// @param compared the number of verdicts
  /// @param objections the resources on which verdicts differ, the smallest first, or why there are
  ///   no verdicts; empty if all verdicts are the same
  public record Proof(int compared, List<String> objections) {
    public Proof {
      objections = List.copyOf(objections);
    }
  }

  /// Compares the verdicts for one conversion.
  ///
  /// @param exceptions the exceptions that name the policy
  public Proof verify(Conversion conversion, List<Conversion> exceptions) {
    try {
      return compared(conversion, exceptions);
    } catch (IllegalStateException | UncheckedIOException e) {
      return new Proof(0, List.of(conversion.policy().id() + ": " + e.getMessage()));
    }
  }

  private Proof compared(Conversion conversion, List<Conversion> exceptions) {
    var resources = new LinkedHashMap<String, Value.Mapping>();
    given.forEach(resource -> resources.put(KyvernoCli.id(resource), resource));
    var written = exceptions.stream().map(exception -> exception.policy().content()).toList();
    ResourceVariants.of(conversion.policy().content(), written, EACH)
        .forEach(resource -> resources.put(KyvernoCli.id(resource), resource));
    var found = VerdictComparison.Outcome.NONE;
    for (var operation : OPERATIONS) {
      found =
          found.plus(
              comparison
                  .with(exceptions)
                  .compare(conversion, List.copyOf(resources.values()), operation));
    }
    if (found.judged() == 0) {
      return new Proof(
          0,
          List.of(
              conversion.policy().id()
                  + ": neither form judges any of "
                  + resources.size()
                  + " resources; name a folder with some that it judges with --resources"));
    }
    return new Proof(
        found.compared(),
        found.differences().stream()
            .collect(
                Collectors.toMap(
                    difference ->
                        List.of(difference.policy(), difference.rule(), difference.resource()),
                    difference -> difference,
                    (first, _) -> first,
                    LinkedHashMap::new))
            .values()
            .stream()
            .sorted(Comparator.comparingInt(difference -> difference.object().length()))
            .limit(SHOWN)
            .map(Difference::toString)
            .toList());
  }

  /// Returns all objects of a manifest of `--resources` that have an apiVersion, a kind and a name.
  ///
  /// @throws IllegalArgumentException if a document cannot be read
  public static List<Value.Mapping> resources(Manifest manifest) {
    var objects = new ArrayList<Value.Mapping>();
    YamlStream.read(
        manifest.bytes(),
        DocumentLimit.of(LONGEST_DOCUMENT),
        document -> {
          switch (document) {
            case YamlDocument.WellFormed sound -> {
              if (sound.value() instanceof Value.Mapping object && isResource(object)) {
                objects.add(object);
              }
            }
            default ->
                throw new IllegalArgumentException(
                    "--resources: " + manifest.name() + " has a document that cannot be read");
          }
        });
    return objects;
  }

  private static boolean isResource(Value.Mapping object) {
    return object.text("kind").isPresent()
        && object.text("apiVersion").isPresent()
        && object.mapping("metadata").text("name").isPresent();
  }
}
