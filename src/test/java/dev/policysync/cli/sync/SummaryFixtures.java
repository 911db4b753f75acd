package dev.policysync.cli.sync;

import static dev.policysync.plan.PlanFixtures.clusterPolicyId;

import dev.policysync.base.Value;
import dev.policysync.plan.Action.Cause;
import dev.policysync.plan.FieldChange;
import dev.policysync.plan.Guard;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PolicyDiff;
import dev.policysync.plan.impact.Direction;
import dev.policysync.plan.impact.Impact;
import dev.policysync.plan.impact.ImpactReason;
import dev.policysync.plan.impact.ReportCoverage;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import dev.policysync.policy.Succession;
import dev.policysync.sync.AgentNamespace;
import dev.policysync.sync.ApprovalInstructions;
import dev.policysync.sync.Summary;
import dev.policysync.sync.Summary.Change;
import dev.policysync.sync.Summary.Note;
import dev.policysync.sync.Summary.Problem;
import dev.policysync.sync.Summary.RunStatus;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.analysis.WriteImpact;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Summaries to print.
public final class SummaryFixtures {
  private static final Optional<Digest> FEED = Optional.of(Digest.of(Value.Mapping.EMPTY));

  private SummaryFixtures() {}

  /// A run in which everything happened that can happen.
  public static Summary eventful(boolean dryRun) {
    return new Summary(
        RunStatus.FAILED,
        Duration.ofMillis(5_240),
        dryRun,
        new Summary.Writes(
            List.of(
                new Change(PolicyId.of(PolicyKind.CLUSTER_POLICY, "a"), Cause.NEW, PolicyDiff.NONE),
                new Change(
                    PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "b"),
                    Cause.NEW,
                    PolicyDiff.NONE)),
            List.of(
                new Change(
                    PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "c"),
                    Cause.CHANGED,
                    difference()),
                new Change(
                    PolicyId.of(PolicyKind.CLUSTER_POLICY, "i"),
                    Cause.DRIFTED,
                    List.of("kubectl-edit"),
                    PolicyDiff.NONE)),
            List.of(
                new Change(
                    PolicyId.of(PolicyKind.VALIDATING_POLICY, "d"),
                    Cause.GONE_FROM_FEED,
                    PolicyDiff.NONE)),
            List.of(
                new Problem(
                    Optional.of("ClusterPolicy/e"),
                    Optional.of("e"),
                    "apply ClusterPolicy/e: HTTP 422, spec.rules: Required value",
                    false),
                new Problem(
                    Optional.of("feed, document 3, line 41, column 1"),
                    Optional.empty(),
                    "it has no kind",
                    false)),
            List.of(new Note("ClusterPolicy/h", "the Lease was lost"))),
        new Summary.Pending(
            List.of(
                new Plan.Withheld(clusterPolicyId("f"), Guard.EMPTY_FEED),
                new Plan.Withheld(
                    clusterPolicyId("k"),
                    Guard.ENFORCEMENT,
                    "rule has-team: Audit → Enforce; 3 workloads currently fail: shop 2, pay 1")),
            List.of(
                new Note(
                    "ClusterPolicy/l",
                    "to be applied by a later run, when Kyverno knows"
                        + " PolicyException.kyverno.io/shop/b")),
            Optional.of(
                new ApprovalInstructions(
                    Digest.of(Value.Mapping.EMPTY), "kubectl annotate lease …")),
            Optional.of(
                new ApprovalInstructions(
                    Digest.of(Value.Mapping.EMPTY), "kubectl annotate lease … enforce")),
            List.of()),
        new Summary.Untouched(
            41,
            List.of(
                new Note(
                    "ClusterPolicy/g",
                    "an object of this name exists and is not managed by policy-sync")),
            List.of(),
            List.of(),
            List.of()),
        impact(),
        Optional.empty(),
        List.of("ClusterPolicy/a: kyverno.io/v1 ClusterPolicy is deprecated"),
        Optional.empty(),
        FEED,
        Optional.of(
            new AgentNamespace("insights-agent", "the agent's CronJob and Lease are there")));
  }

  public static Summary quiet(RunStatus runStatus, List<Problem> failed, Optional<String> skipped) {
    return quiet(runStatus, failed, skipped, Optional.empty());
  }

  /// A run that had nothing to do, and says what would become of policies.
  public static Summary previewing(List<PolicyConversion> conversions) {
    return quiet(RunStatus.DONE, List.of(), Optional.empty(), Optional.of(conversions));
  }

  /// Policies with one successor, with many, and with none for one and for many reasons.
  public static List<PolicyConversion> conversions() {
    return List.of(
        new PolicyConversion(
            PolicyId.of(PolicyKind.CLUSTER_POLICY, "team-label"), successors(1), List.of()),
        new PolicyConversion(PolicyId.of(PolicyKind.CLUSTER_POLICY, "b"), successors(7), List.of()),
        new PolicyConversion(
            PolicyId.of(PolicyKind.CLEANUP_POLICY, "shop", "c"), List.of(), refusals(1, "")),
        new PolicyConversion(
            PolicyId.of(PolicyKind.CLUSTER_POLICY, "d"), List.of(), refusals(6, "prefix")));
  }

  /// One policy at each stage, and one without a successor.
  public static List<PolicyConversion> successions() {
    var successions = new ArrayList<PolicyConversion>();
    for (var stage : Succession.Stage.values()) {
      successions.add(
          new PolicyConversion(
                  PolicyId.of(PolicyKind.CLUSTER_POLICY, "p" + successions.size()),
                  successors(2),
                  List.of())
              .at(
                  new PolicyConversion.Progress(
                      stage,
                      stage == Succession.Stage.REHEARSAL
                          ? "verdicts differ for 1 resource: Pod/shop/cart"
                          : "",
                      stage == Succession.Stage.REHEARSAL)));
    }
    successions.add(conversions().getLast());
    return successions;
  }

  private static List<PolicyConversion.Successor> successors(int count) {
    return IntStream.range(0, count)
        .mapToObj(number ->
            new PolicyConversion.Successor(
                PolicyId.of(PolicyKind.VALIDATING_POLICY, "s" + number),
                "r" + number,
                Value.Mapping.EMPTY))
        .toList();
  }

  private static List<PolicyConversion.Refusal> refusals(int count, String rule) {
    return IntStream.range(0, count)
        .mapToObj(number ->
            new PolicyConversion.Refusal(
                rule,
                new Position("feed", 3, 12 + number, 19),
                "a variable in a pattern",
                "compare with the value itself in CEL"))
        .toList();
  }

  private static Summary quiet(
      RunStatus runStatus,
      List<Problem> failed,
      Optional<String> skipped,
      Optional<List<PolicyConversion>> conversions) {
    return new Summary(
        runStatus,
        Duration.ofMillis(349),
        false,
        new Summary.Writes(List.of(), List.of(), List.of(), failed, List.of()),
        Summary.Pending.NOTHING,
        Summary.Untouched.inSync(failed.isEmpty() ? 3 : 0),
        List.of(),
        conversions,
        List.of(),
        skipped,
        failed.isEmpty() ? FEED : Optional.empty(),
        Optional.empty());
  }

  /// The run that the docs show: a new policy, and one that somebody edited.
  ///
  /// @param reason why the namespace is this one
  public static Summary ordinary(String reason) {
    return new Summary(
        RunStatus.DONE,
        Duration.ofMillis(1_240),
        false,
        new Summary.Writes(
            List.of(
                new Change(
                    PolicyId.of(PolicyKind.CLUSTER_POLICY, "team-label"),
                    Cause.NEW,
                    PolicyDiff.NONE)),
            List.of(
                new Change(
                    PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "signed-images"),
                    Cause.DRIFTED,
                    List.of("kubectl-edit"),
                    PolicyDiff.NONE)),
            List.of(),
            List.of(),
            List.of()),
        Summary.Pending.NOTHING,
        Summary.Untouched.inSync(40),
        List.of(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        FEED,
        Optional.of(new AgentNamespace("insights-agent", reason)));
  }

  /// A run that found names taken.
  public static Summary withConflicts(List<Note> conflicts) {
    return new Summary(
        RunStatus.WITHHELD,
        Duration.ofMillis(349),
        false,
        Summary.Writes.NONE,
        Summary.Pending.NOTHING,
        new Summary.Untouched(0, conflicts, List.of(), List.of(), List.of()),
        List.of(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        FEED,
        Optional.empty());
  }

  /// A first sync of so many policies that block, of which no reports can tell anything yet.
  public static Summary firstSync(int policies) {
    var ids =
        IntStream.range(0, policies)
            .mapToObj(number -> PolicyId.of(PolicyKind.CLUSTER_POLICY, "p" + number))
            .toList();
    return new Summary(
        RunStatus.DONE,
        Duration.ofMillis(349),
        false,
        new Summary.Writes(
            ids.stream().map(id -> new Change(id, Cause.NEW, PolicyDiff.NONE)).toList(),
            List.of(),
            List.of(),
            List.of(),
            List.of()),
        Summary.Pending.NOTHING,
        Summary.Untouched.inSync(0),
        ids.stream().map(SummaryFixtures::newPolicy).toList(),
        Optional.empty(),
        Stream.concat(
                ids.stream()
                    .map(id ->
                        id
                            + " blocks more requests: new with Enforce; no report data: "
                            + WriteImpact.NEW_POLICY),
                Stream.of("ClusterPolicy/p0: kyverno.io/v1 ClusterPolicy is deprecated"))
            .toList(),
        Optional.empty(),
        FEED,
        Optional.empty());
  }

  private static WriteImpact newPolicy(PolicyId id) {
    return WriteImpact.unknown(
        new Impact(
            id,
            id,
            List.of(
                ImpactReason.of(
                    Direction.TIGHTENS,
                    Optional.empty(),
                    "new with Enforce",
                    ReportCoverage.NONE))),
        WriteImpact.NEW_POLICY);
  }

  private static List<WriteImpact> impact() {
    return List.of(
        new WriteImpact(
            new Impact(
                PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "c"),
                PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "c"),
                List.of(
                    reason(Direction.TIGHTENS, "first", "Audit → Enforce", ReportCoverage.REPORTS),
                    reason(
                        Direction.LOOSENS,
                        "second",
                        "match matches fewer resources",
                        ReportCoverage.NOT_NEEDED))),
            Optional.of(
                new ViolationSource.Violations(
                    Map.of("shop", 12L),
                    List.of("Deployment/shop/cart", "StatefulSet/shop/pay"),
                    Optional.of(Instant.parse("2026-11-21T03:00:00Z")))),
            Optional.of(Duration.ofMinutes(4)),
            Optional.empty()),
        new WriteImpact(
            new Impact(
                PolicyId.of(PolicyKind.CLUSTER_POLICY, "a"),
                PolicyId.of(PolicyKind.CLUSTER_POLICY, "a"),
                List.of(
                    ImpactReason.of(
                        Direction.TIGHTENS,
                        Optional.empty(),
                        "new with Enforce in rule has-team",
                        ReportCoverage.NONE))),
            Optional.empty(),
            Optional.empty(),
            Optional.of(WriteImpact.NEW_POLICY)),
        new WriteImpact(
            new Impact(
                PolicyId.of(PolicyKind.CLUSTER_POLICY, "k"),
                PolicyId.of(PolicyKind.CLUSTER_POLICY, "k"),
                List.of(
                    reason(
                        Direction.TIGHTENS, "has-team", "Audit → Enforce", ReportCoverage.REPORTS),
                    reason(Direction.CHANGED, "has-team", "match changed", ReportCoverage.NONE))),
            Optional.of(
                new ViolationSource.Violations(
                    namespaces("shop", 2L, "pay", 1L),
                    List.of("Pod/pay/x", "Deployment/shop/cart", "Deployment/shop/web"),
                    Optional.empty())),
            Optional.empty(),
            Optional.empty()));
  }

  private static Map<String, Long> namespaces(String one, long some, String other, long fewer) {
    var namespaces = new LinkedHashMap<String, Long>();
    namespaces.put(one, some);
    namespaces.put(other, fewer);
    return namespaces;
  }

  private static ImpactReason reason(
      Direction direction, String rule, String text, ReportCoverage reportCoverage) {
    return ImpactReason.of(direction, Optional.of(rule), text, reportCoverage);
  }

  private static PolicyDiff difference() {
    var rule =
        Value.Mapping.EMPTY
            .with("name", "second")
            .with("skipBackgroundRequests", new Value.Bool(true));
    return new PolicyDiff(
        List.of(
            new FieldChange(
                "spec.rules[first].validate.failureAction",
                Optional.of(new Value.Text("Audit")),
                Optional.of(new Value.Text("Enforce"))),
            new FieldChange("spec.rules[second]", Optional.empty(), Optional.of(rule)),
            new FieldChange(
                "spec.rules[first].validate.message",
                Optional.of(new Value.Text("set the label\nteam\n")),
                Optional.of(new Value.Text("set the labels\nteam and tier\n"))),
            new FieldChange(
                "spec.background", Optional.of(new Value.Bool(false)), Optional.empty())),
        Optional.of("Audit → Enforce"));
  }
}
