package dev.policysync.app;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.policy;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.yaml.YamlText;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.lint.LintMode;
import dev.policysync.lint.Rule;
import dev.policysync.lint.rules.Catalogue;
import dev.policysync.plan.Guard;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Succession;
import dev.policysync.policy.feed.FilePolicySource;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.sync.FakeRunStateStore;
import dev.policysync.sync.FakeSyncLock;
import dev.policysync.sync.FakeTime;
import dev.policysync.sync.Summary;
import dev.policysync.sync.SyncOptions;
import dev.policysync.sync.SyncPorts;
import dev.policysync.sync.Synchronizer;
import dev.policysync.sync.analysis.ExecutionSource;
import dev.policysync.sync.analysis.PolicyLinter;
import dev.policysync.sync.analysis.PolicyLinter.Weight;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.sync.succession.Conversions;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a sync makes of what lint finds, also where a rule breaks.
class SyncLinterTest {
  private static final List<Policy> ALL =
      PolicyReader.read(
              new FilePolicySource("examples/policies", InputStream::nullInputStream).read())
          .policies();
  private static final PolicyId ODD = ALL.getFirst().id();

  private static final Rule BREAKING =
      rule((policy, _) -> {
        if (policy.id().equals(ODD)) {
          throw new ClassCastException("as by a defect");
        }
      });

  @ParameterizedTest
  @CsvSource({"WARN, WARNING", "BLOCK, WITHHOLDS"})
  void stopsNoOtherPolicy(LintMode mode, Weight weight) {
    var hazards =
        new SyncLinter(mode, List.of(BREAKING))
            .of(ALL, ALL.stream().map(Policy::id).collect(Collectors.toSet()));

    assertThat(hazards)
        .singleElement()
        .satisfies(policyHazard -> {
          assertThat(policyHazard.policy()).isEqualTo(ODD);
          assertThat(policyHazard.weight()).isEqualTo(weight);
          assertThat(policyHazard.text()).contains("internal error in policy-sync");
        });
    assertThat(new SyncLinter(mode, List.of(BREAKING)).of(ALL, Set.of(ALL.getLast().id())))
        .isEmpty();
  }

  @Test
  void mindsTheSameNameOfTwoPoliciesOfTheFeedOnly() {
    var legacy = clusterPolicy("team");
    var other = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "team"));
    var successor =
        new Policy(
            other.id(),
            other.content(),
            other.position(),
            Optional.of(new Succession(legacy.id(), Succession.Stage.REHEARSAL)));
    var sharedName =
        Catalogue.rules().stream().filter(rule -> rule.hazard().id().equals("PS028")).toList();
    var linter = new SyncLinter(LintMode.WARN, sharedName);

    assertThat(linter.of(List.of(legacy, other), Set.of(legacy.id(), other.id()))).hasSize(1);
    assertThat(linter.of(List.of(legacy, successor), Set.of(legacy.id(), other.id()))).isEmpty();
  }

  @Test
  void isAWrongSettingWhereTheParserOfCelIsMissing() {
    var withoutParser =
        rule((_, _) -> {
          throw new NoClassDefFoundError("dev/cel/parser/CelParser");
        });
    var hazards = new SyncLinter(LintMode.BLOCK, List.of(withoutParser));

    assertThatThrownBy(() -> hazards.of(ALL, Set.of(ODD)))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("LINT (--lint) is \"block\"")
        .hasMessageContaining("dev/cel/parser/CelParser");
  }

  @Test
  void withholdsCelThatNestsTooDeepToBeRead() throws InterruptedException {
    var deep = celPolicy("deep", "(".repeat(20_000) + "true" + ")".repeat(20_000));
    var found = new ArrayList<PolicyLinter.PolicyHazard>();
    var thread =
        new Thread(
            null,
            () -> found.addAll(SyncLinter.in(LintMode.BLOCK).of(List.of(deep), Set.of(deep.id()))),
            "as-small-as-in-a-pod",
            512 << 10);
    thread.start();
    thread.join();

    assertThat(found).extracting(PolicyLinter.PolicyHazard::weight).contains(Weight.WITHHOLDS);
  }

  /// What `LINT=block` is for: the policy that is there goes on judging.
  @Test
  void keepsAPolicyWhoseSuccessorHasCelThatCannotBeRead() {
    var old =
        clusterPolicy(
            "limits",
            """
            {"rules": [{"name": "limits", "match": {"any": [{"resources": {"kinds": ["LimitRange"]}}]},
            "validate": {"failureAction": "Audit", "pattern": {"spec": {"limits": "?*"}}}}]}
            """);
    var broken = celPolicy("limits", "has(object.spec.limits");
    var store = new FakePolicyStore();
    sync(store, LintMode.BLOCK, old);

    var withheld = sync(store, LintMode.BLOCK, broken);
    var mended = sync(store, LintMode.BLOCK, celPolicy("limits", "has(object.spec.limits)"));
    var later = sync(store, LintMode.BLOCK, celPolicy("limits", "has(object.spec.limits)"));

    assertThat(withheld.writes().applied()).isEmpty();
    assertThat(withheld.writes().removed()).isEmpty();
    assertThat(withheld.pending().withheldNotes())
        .extracting(Summary.Note::policy)
        .containsExactly("ClusterPolicy/limits", "ValidatingPolicy/limits");
    assertThat(withheld.pending().withheldNotes())
        .extracting(Summary.Note::reason)
        .satisfiesExactly(
            reason -> assertThat(reason).isEqualTo(Guard.SUCCESSOR_STUCK.toString()),
            reason -> assertThat(reason).contains("PS020"));
    assertThat(withheld.status()).isEqualTo(Summary.RunStatus.WITHHELD);
    assertThat(mended.status()).isEqualTo(Summary.RunStatus.DONE);
    assertThat(mended.writes().removed()).isEmpty();
    assertThat(later.writes().removed()).hasSize(1);
  }

  private static Rule rule(Rule.Check check) {
    return new Rule(Catalogue.rules().getFirst().hazard(), check, Set.of());
  }

  private static Summary sync(FakePolicyStore store, LintMode lint, Policy feed) {
    var time = new FakeTime();
    var manifest = new Manifest("feed", YamlText.write(feed.content()).getBytes(UTF_8));
    var run =
        new Synchronizer(
            new SyncPorts(
                () -> List.of(manifest),
                store,
                new FakeSyncLock(new FakeSyncLock.SharedRecord(), "pod", time),
                new FakeRunStateStore(time),
                Optional.empty(),
                _ -> Optional.empty(),
                SyncLinter.in(lint),
                ViolationSource.UNKNOWN,
                ExecutionSource.UNKNOWN,
                new Conversions.Off()),
            new SyncOptions(
                RULES, WriteMode.LIVE, false, 1, Duration.ofSeconds(65), "0.1.0", Optional.empty()),
            new Cancellation(Duration.ofMinutes(4), () -> 0),
            Clock.systemUTC(),
            Progress.NONE);
    return Summary.of(run.run(), WriteMode.LIVE, Duration.ZERO, Instant.EPOCH);
  }

  private static Policy celPolicy(String name, String expression) {
    return policy(
        PolicyId.of(PolicyKind.VALIDATING_POLICY, name),
        """
        {"matchConstraints": {"resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"],
        "operations": ["CREATE"], "resources": ["limitranges"]}]}, "validationActions": ["Audit"],
        "validations": [{"expression": "%s"}]}
        """
            .formatted(expression));
  }
}
