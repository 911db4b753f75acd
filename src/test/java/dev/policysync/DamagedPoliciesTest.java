package dev.policysync;

import static dev.policysync.policy.kyverno.RelatedPolicyFixtures.related;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.NodeLocations;
import dev.policysync.convert.ConvertedPolicies;
import dev.policysync.convert.Converter;
import dev.policysync.lint.LintMode;
import dev.policysync.lint.Linter;
import dev.policysync.lint.rules.Catalogue;
import dev.policysync.plan.impact.ImpactEvaluator;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.FilePolicySource;
import dev.policysync.policy.feed.LocatedPolicy;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.policy.kyverno.RelatedPolicies;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Policies with whatever in the place of anything: a feed may hold them, and what looks at
/// policies beside the plan must not be what stops the others.
class DamagedPoliciesTest {
  private static final int TIMES = 400;

  private static final List<Value> ANYTHING =
      List.of(
          Value.Null.NULL,
          new Value.Bool(true),
          new Value.Numeric("-1"),
          new Value.Text(""),
          new Value.Text("*"),
          new Value.Text("/"),
          new Value.Text("{{ ["),
          Value.Mapping.EMPTY,
          new Value.Sequence(List.of()),
          new Value.Sequence(List.of(Value.Null.NULL, new Value.Text("x"), Value.Mapping.EMPTY)),
          new Value.Mapping(Map.of("name", Value.Null.NULL, "any", new Value.Text("x"))));

  static Stream<Policy> examples() {
    return PolicyReader.read(
        new FilePolicySource("examples/policies", InputStream::nullInputStream).read())
        .policies()
        .stream();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void areJudgedByLint(Policy policy) {
    var linter = new Linter(Catalogue.rules(), Optional.empty());
    forEachDamage(
        policy,
        (which, damaged) ->
            assertThatCode(
                    () -> linter.judge(List.of(damaged), Set.of(policy.id()), LintMode.BLOCK))
                .as("%s: %s", which, damaged.content())
                .doesNotThrowAnyException());
  }

  @ParameterizedTest
  @MethodSource("examples")
  void areJudgedByWhatTheyWillBlock(Policy policy) {
    if (!ImpactEvaluator.judges(policy.id().kind())) {
      return;
    }
    forEachDamage(
        policy,
        (which, damaged) -> {
          var relatedPolicies =
              related(Map.of(policy.id(), damaged.content()), Set.of(policy.id()));
          assertThatCode(
                  () -> {
                    judge(policy.id(), policy.content(), damaged.content(), relatedPolicies);
                    judge(policy.id(), damaged.content(), policy.content(), relatedPolicies);
                    judge(policy.id(), Value.Mapping.EMPTY, damaged.content(), relatedPolicies);
                  })
              .as("%s: %s", which, damaged.content())
              .doesNotThrowAnyException();
        });
  }

  static Stream<Policy> legacy() {
    return Stream.concat(
            examples(),
            PolicyReader.read(
                new FilePolicySource("src/test/resources/convert", InputStream::nullInputStream)
                    .read())
                .policies()
                .stream())
        .filter(policy -> policy.id().kind().endsWithKyverno119());
  }

  @ParameterizedTest
  @MethodSource("legacy")
  void areConvertedOrRefused(Policy policy) {
    var named =
        ConvertedPolicies.of(Path.of("src/test/resources/convert/exceptions.yaml")).stream()
            .collect(Collectors.toMap(known -> known.policy().id(), known -> known));
    forEachDamage(
        policy,
        (which, damaged) ->
            assertThatCode(() ->
                    new Converter()
                        .convert(
                            new LocatedPolicy(
                                policy.id(),
                                damaged.content(),
                                policy.position(),
                                new NodeLocations()),
                            named))
                .as("%s: %s", which, damaged.content())
                .doesNotThrowAnyException());
  }

  private static void judge(
      PolicyId id, Value.Mapping before, Value.Mapping after, RelatedPolicies relatedPolicies) {
    var _ = ImpactEvaluator.of(id, before, after, relatedPolicies);
  }

  private interface Damaged {
    void with(String which, Policy policy);
  }

  private static void forEachDamage(Policy policy, Damaged each) {
    for (var i = 0; i < TIMES; i++) {
      var random = new SplittableRandom(i);
      var content = (Value.Mapping) damage(policy.content(), random, 2);
      // What these three hold was seen to before.
      for (var field : List.of("apiVersion", "kind", "metadata")) {
        content = content.with(field, policy.content().field(field).orElseThrow());
      }
      each.with("damage " + i, new Policy(policy.id(), content, policy.position()));
    }
  }

  /// Replaces about one in so many of the values, at every depth.
  private static Value damage(Value value, SplittableRandom random, int depth) {
    if (depth <= 0 && random.nextInt(12) == 0) {
      return ANYTHING.get(random.nextInt(ANYTHING.size()));
    }
    return switch (value) {
      case Value.Mapping mapping -> {
        var fields = new LinkedHashMap<String, Value>();
        mapping
            .fields()
            .forEach((name, field) -> fields.put(name, damage(field, random, depth - 1)));
        yield new Value.Mapping(fields);
      }
      case Value.Sequence sequence -> {
        var items = new ArrayList<Value>();
        sequence.items().forEach(item -> items.add(damage(item, random, depth - 1)));
        yield new Value.Sequence(items);
      }
      default -> value;
    };
  }
}
