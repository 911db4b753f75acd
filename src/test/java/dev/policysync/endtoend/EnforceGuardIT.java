package dev.policysync.endtoend;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static dev.policysync.harness.Feeds.validatingPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.endtoend.ReportObjects.Result;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.AgedLease;
import dev.policysync.testcluster.AuditLog;
import dev.policysync.testcluster.Kubectl;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.Sandbox.Rule;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Nothing begins to block workloads that are there unless somebody lets it, where that is asked
/// for; and what will block more is said in any case.
class EnforceGuardIT extends EndToEnd {
  private static final List<String> REPORT_KINDS =
      List.of("policyreports", "clusterpolicyreports", "reports", "clusterreports");

  private Sandbox sandbox;
  private Kubectl kubectl;
  private ReportObjects reports;

  @BeforeEach
  void enter(Sandbox sandbox) throws IOException {
    this.sandbox = sandbox;
    kubectl = Kubectl.of(cluster, folder.resolve("kubectl"));
    reports = new ReportObjects(cluster.admin(), namespace);
  }

  @AfterEach
  void removeReports() {
    reports.removeAll();
  }

  @Test
  void holdsOnceWhatAPersonThenLetsThroughWithTheCommandThatItPrinted() {
    applied("team");
    fails("Deployment", "cart", "team");
    insights.expects(Feeds.of(clusterPolicy("team", "Enforce"), clusterPolicy("other", "Audit")));
    agent.with("ENFORCE_GUARD", "hold");

    var preview = agent.run("diff");
    var held = agent.run();
    kubectl.typed(command(held)).ok();
    var approved = agent.run();

    assertThat(preview.exitCode()).isEqualTo(3);
    assertThat(preview.stdout())
        .contains("tightens: rule has-team: Audit → Enforce")
        .contains("1 workload currently fails: " + namespace + " 1 (newest result 4 min ago)")
        .contains("Deployment/" + namespace + "/cart")
        .contains(command(held));
    assertThat(held.exitCode()).isEqualTo(3);
    assertThat(held.stdout()).contains("Enforcement changes are withheld until approved");
    assertThat(policiesIn(held, "withheld")).containsExactly("ClusterPolicy/team");
    assertThat(texts(held, "applied")).as("others go on").containsExactly("other");
    assertThat(approved.exitCode()).as(approved.all()).isZero();
    assertThat(texts(approved, "updated")).containsExactly("team");
    assertThat(action("team")).isEqualTo("Enforce");
    assertThat(approvals()).isEmpty();

    insights.expects(Feeds.of(clusterPolicy("team", "Audit"), clusterPolicy("other", "Audit")));
    agent.run();
    insights.expects(Feeds.of(clusterPolicy("team", "Enforce"), clusterPolicy("other", "Audit")));
    assertThat(agent.run().exitCode()).as("used up").isEqualTo(3);
  }

  /// The expression fails for a ConfigMap without that key, which could not be updated any more.
  @Test
  void holdsWhatWouldRefuseWhatItCannotEvaluate() {
    insights.expects(ownersOfConfigMaps("Ignore"));
    assertThat(agent.run().exitCode()).isZero();
    insights.expects(ownersOfConfigMaps("Fail"));
    agent.with("ENFORCE_GUARD", "hold");

    var held = agent.run();

    assertThat(held.exitCode()).as(held.all()).isEqualTo(3);
    assertThat(policiesIn(held, "withheld"))
        .containsExactly("ValidatingAdmissionPolicy/" + namespace);
    assertThat(held.summary().items("withheld").toString())
        .contains("failurePolicy Ignore → Fail: requests that cannot be evaluated are rejected");
    assertThat(failurePolicy()).isEqualTo("Ignore");

    kubectl.typed(command(held)).ok();
    assertThat(agent.run().exitCode()).isZero();
    assertThat(failurePolicy()).isEqualTo("Fail");
  }

  private String failurePolicy() {
    var path = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/" + namespace;
    return cluster.admin().get(path).ok().mapping("spec").text("failurePolicy").orElseThrow();
  }

  private String ownersOfConfigMaps(String failurePolicy) {
    return """
    apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingAdmissionPolicy
    metadata: {name: NAMESPACE}
    spec:
      failurePolicy: FAILURE
      matchConstraints:
        namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAMESPACE}}
        resourceRules:
          - {apiGroups: [''], apiVersions: [v1], operations: [UPDATE], resources: [configmaps]}
      validations: [{expression: "object.data.owner != ''"}]
    ---
    apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingAdmissionPolicyBinding
    metadata: {name: NAMESPACE}
    spec: {policyName: NAMESPACE, validationActions: [Deny]}
    """
        .replace("NAMESPACE", namespace)
        .replace("FAILURE", failurePolicy);
  }

  @Test
  void takesAnApprovalForNoOtherList() {
    applied("team", "owner");
    fails("Deployment", "cart", "team", "owner");
    insights.expects(Feeds.of(clusterPolicy("team", "Enforce"), clusterPolicy("owner", "Audit")));
    agent.with("ENFORCE_GUARD", "hold");
    kubectl.typed(command(agent.run())).ok();
    insights.expects(Feeds.of(clusterPolicy("team", "Enforce"), clusterPolicy("owner", "Enforce")));

    var run = agent.run();

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(policiesIn(run, "withheld"))
        .containsExactly("ClusterPolicy/owner", "ClusterPolicy/team");
    assertThat(texts(run, "warnings"))
        .containsExactly("the enforcement approval on the Lease is for a different list");
    assertThat(action("team")).isEqualTo("Audit");
  }

  @Test
  void takesAnApprovalForVoidAfterADay() {
    applied("team");
    fails("Deployment", "cart", "team");
    insights.expects(clusterPolicy("team", "Enforce"));
    agent.with("ENFORCE_GUARD", "hold");
    kubectl.typed(command(agent.run())).ok();
    AgedLease.written(cluster.admin(), LEASE, Duration.ofHours(24).plusMinutes(1));

    var run = agent.run();

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(texts(run, "warnings"))
        .containsExactly(
            "the enforcement approval on the Lease has expired: it was given more than 24 hours"
                + " ago");
    assertThat(action("team")).isEqualTo("Audit");
  }

  @Test
  void takesNeitherApprovalForTheOther() {
    applied("a", "b", "c", "d", "team");
    fails("Deployment", "cart", "team");
    insights.expects(clusterPolicy("team", "Enforce"));
    agent.with("ENFORCE_GUARD", "hold");
    var held = agent.run();
    var removals = held.summary().mapping("approval").text("list").orElseThrow();
    var enforcing = held.summary().mapping("enforcementApproval").text("list").orElseThrow();
    annotate("policysync.dev/approve-removals", enforcing);
    annotate("policysync.dev/approve-enforcement", removals);

    var run = agent.run();

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(policiesIn(run, "withheld")).hasSize(5);
    assertThat(exists("clusterpolicies", "a")).isTrue();
    assertThat(action("team")).isEqualTo("Audit");
  }

  @Test
  void letsThroughWhatNobodyFails() {
    applied("team");
    reports.add("Deployment", "cart", Result.passes("team", "autogen-has-team"));
    reports.add("Deployment", "web", Result.fails("team", "another-rule"));
    insights.expects(clusterPolicy("team", "Enforce"));

    var run = agent.with("ENFORCE_GUARD", "hold").run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "warnings")).isEmpty();
    assertThat(impact(run).mapping("failing").field("workloads")).contains(new Value.Numeric("0"));
    assertThat(action("team")).isEqualTo("Enforce");
  }

  @Test
  void letsThroughWhatStaysBelowTheThreshold() {
    applied("team");
    fails("Deployment", "cart", "team");
    fails("Deployment", "web", "team");
    insights.expects(clusterPolicy("team", "Enforce"));

    var run = agent.with("ENFORCE_GUARD", "hold").with("ENFORCE_GUARD_THRESHOLD", "3").run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "warnings"))
        .containsExactly(
            "ClusterPolicy/team blocks more requests: rule has-team: Audit → Enforce; 2"
                + " workloads currently fail: "
                + namespace
                + " 2");
  }

  @Test
  void countsAControllerAndItsPodsOnce() {
    applied("team");
    reports.add("Deployment", "cart", Result.fails("team", "autogen-has-team"));
    reports.add("Pod", "cart-7d9f8c6b5-x2k4q", Result.fails("team", "has-team"));
    reports.add("Pod", "cart-7d9f8c6b5-zz9pl", Result.fails("team", "has-team"));
    reports.add("Pod", "alone", Result.fails("team", "has-team"));
    insights.expects(clusterPolicy("team", "Enforce"));

    var run = agent.run("--dry-run");

    assertThat(ReportObjects.names(impact(run)))
        .containsExactly("Deployment/" + namespace + "/cart", "Pod/" + namespace + "/alone");
  }

  @Test
  void warnsOfNoReportDataAndHoldsWhereItIsToHold() {
    applied("team");
    reports.add("Deployment", "cart", Result.passes("another", "rule"));
    insights.expects(clusterPolicy("team", "Enforce"));

    var warned = agent.run("--dry-run");
    var held = agent.with("ENFORCE_GUARD", "hold").run();

    assertThat(texts(warned, "warnings"))
        .containsExactly(
            "ClusterPolicy/team blocks more requests: rule has-team: Audit → Enforce; no report"
                + " data: no report contains a result of this policy");
    assertThat(impact(warned).field("failing")).as("not shown as zero").isEmpty();
    assertThat(held.exitCode()).isEqualTo(3);
    assertThat(action("team")).isEqualTo("Audit");
  }

  @Test
  void setsUpAClusterWithoutReportsAndHoldsNewPoliciesInOneThatHasThem() {
    insights.expects(clusterPolicy("first", "Enforce"));
    agent.with("ENFORCE_GUARD", "hold");

    var bare = agent.run();
    reports.add("Deployment", "cart", Result.passes("first", "has-team"));
    insights.expects(Feeds.of(clusterPolicy("first", "Enforce"), clusterPolicy("new", "Enforce")));
    var later = agent.run();

    assertThat(bare.exitCode()).as(bare.all()).isZero();
    assertThat(later.exitCode()).isEqualTo(3);
    assertThat(policiesIn(later, "withheld")).containsExactly("ClusterPolicy/new");
  }

  @Test
  void saysThatItMayNotReadReportsAndGoesOn() {
    agent.as(sandbox.tokenOf("no-reports", rules()));
    applied("team");
    insights.expects(clusterPolicy("team", "Enforce"));

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "updated")).containsExactly("team");
    assertThat(texts(run, "warnings").toString())
        .contains("no report data: ", "add the verb list on reports.openreports.io");
  }

  @Test
  void readsNoReportsWhereNothingTightens() {
    applied("team");
    insights.expects(Feeds.of(clusterPolicy("team", "Enforce"), validatingPolicy("new")));
    agent.run();
    audit = cluster.auditLog();

    agent.run();
    insights.expects(Feeds.of(clusterPolicy("team", "Audit"), validatingPolicy("new")));
    var loosened = agent.run();

    assertThat(impact(loosened).text("effect")).contains("loosens");
    assertThat(reportLists()).isEmpty();
  }

  @Test
  void readsReportsOncePerRunForAllPolicies() {
    applied("one", "two");
    fails("Deployment", "cart", "one", "two");
    insights.expects(Feeds.of(clusterPolicy("one", "Enforce"), clusterPolicy("two", "Enforce")));
    audit = cluster.auditLog();

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(run.summary().items("impact")).hasSize(2);
    assertThat(reportLists()).hasSize(REPORT_KINDS.size()).doesNotHaveDuplicates();
  }

  @Test
  void makesTheLeaseOnWhichAPersonApprovesEvenIfItWritesNothingElse() {
    reports.add("Deployment", "cart", Result.passes("another", "rule"));
    insights.expects(clusterPolicy("team", "Enforce"));
    agent.with("ENFORCE_GUARD", "hold");

    var held = agent.run();
    kubectl.typed(command(held)).ok();
    var approved = agent.run();

    assertThat(held.exitCode()).isEqualTo(3);
    assertThat(texts(held, "applied")).isEmpty();
    assertThat(texts(approved, "applied")).containsExactly("team");
  }

  @Test
  void writesNothingWhileItHolds() {
    applied("team");
    fails("Deployment", "cart", "team");
    insights.expects(clusterPolicy("team", "Enforce"));
    agent.with("ENFORCE_GUARD", "hold").run();
    audit = cluster.auditLog();

    agent.run();

    assertThat(audit.writes()).isEmpty();
  }

  private void applied(String... names) {
    var documents = Stream.of(names).map(name -> clusterPolicy(name, "Audit")).toList();
    insights.expects(String.join("---\n", documents));
    var run = agent.run();
    assertThat(run.exitCode()).as(run.all()).isZero();
  }

  private void fails(String kind, String name, String... policies) {
    reports.add(
        kind,
        name,
        Stream.of(policies)
            .map(policy -> Result.fails(policy, "autogen-has-team"))
            .toArray(Result[]::new));
  }

  private String action(String policy) {
    var rule =
        (Value.Mapping) live("clusterpolicies", policy).mapping("spec").items("rules").getFirst();
    return rule.mapping("validate").text("failureAction").orElse("");
  }

  private List<String> reportLists() {
    return audit.entries().stream()
        .map(AuditLog.Entry::resource)
        .filter(resource -> REPORT_KINDS.stream().anyMatch(kind -> resource.startsWith(kind + ".")))
        .toList();
  }

  private List<String> approvals() {
    var annotations = cluster.admin().get(LEASE).ok().mapping("metadata").mapping("annotations");
    return annotations.fields().keySet().stream().filter(name -> name.contains("approve")).toList();
  }

  private void annotate(String annotation, String value) {
    var annotations = new Value.Mapping(Map.of(annotation, new Value.Text(value)));
    cluster
        .admin()
        .merge(
            LEASE + "?fieldManager=kubectl-annotate",
            new Value.Mapping(
                Map.of("metadata", new Value.Mapping(Map.of("annotations", annotations)))))
        .ok();
  }

  private static String command(Agent.Run run) {
    return run.summary().mapping("enforcementApproval").text("command").orElseThrow();
  }

  private static Value.Mapping impact(Agent.Run run) {
    return (Value.Mapping) run.summary().items("impact").getFirst();
  }

  /// What an agent needs, but for the reports.
  private static Rule[] rules() {
    var policies =
        PolicyKind.all().stream()
            .map(kind ->
                new Rule(
                    kind.group(),
                    List.of(kind.plural()),
                    List.of("get", "list", "create", "patch", "delete")));
    var lease =
        new Rule("coordination.k8s.io", List.of("leases"), List.of("get", "create", "update"));
    var events = new Rule("events.k8s.io", List.of("events"), List.of("create", "get", "patch"));
    return Stream.concat(policies, Stream.of(lease, events)).toArray(Rule[]::new);
  }
}
