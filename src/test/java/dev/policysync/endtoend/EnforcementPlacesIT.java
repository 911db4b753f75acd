package dev.policysync.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.endtoend.ReportObjects.Result;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// From Audit to Enforce in every place where a policy can say it: the guard sees it and names who
/// fails it now, by the reports of a real API server.
class EnforcementPlacesIT extends EndToEnd {
  private static final String POD_RULE =
      "resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources:"
          + " [pods]}]";

  private ReportObjects reports;

  /// A policy that audits, and how it begins to enforce.
  ///
  /// @param audit what of it is replaced, by `enforce`
  /// @param failing a result on it
  /// @param path of what may not change
  record Place(
      String name, String policy, String audit, String enforce, Result failing, String path) {
    @Override
    public String toString() {
      return name;
    }
  }

  @BeforeEach
  void beginReports() {
    reports = new ReportObjects(cluster.admin(), namespace);
  }

  @AfterEach
  void removeReports() {
    reports.removeAll();
  }

  @ParameterizedTest
  @MethodSource("places")
  void isSeenAndNamesWhoFails(Place place) {
    var policy = place.policy().replace("NAMESPACE", namespace);
    insights.expects(policy);
    var first = agent.run();
    assertThat(first.exitCode()).as(first.all()).isZero();
    reports.add("Deployment", "cart", result(place.failing()));
    var path = place.path().replace("NAMESPACE", namespace);
    var before = cluster.admin().get(path).ok().field("spec");
    insights.expects(
        place.policy().replace(place.audit(), place.enforce()).replace("NAMESPACE", namespace));

    var run = agent.with("ENFORCE_GUARD", "hold").run();

    assertThat(run.exitCode()).as(run.all()).isEqualTo(3);
    assertThat(run.summary().items("withheld").toString())
        .contains("Audit → Enforce", "1 workload currently fails: " + namespace + " 1");
    var impact = (Value.Mapping) run.summary().items("impact").getFirst();
    assertThat(impact.text("effect")).contains("tightens");
    assertThat(ReportObjects.names(impact)).containsExactly("Deployment/" + namespace + "/cart");
    assertThat(cluster.admin().get(path).ok().field("spec")).isEqualTo(before);
  }

  private Result result(Result result) {
    return new Result(
        result.source(),
        result.policy().replace("NAMESPACE", namespace),
        result.rule(),
        result.result());
  }

  static Stream<Place> places() {
    return Stream.of(
        rules(
            "rules[].validate.failureAction", "", "failureAction: Audit", "failureAction: Enforce"),
        rules(
            "spec.validationFailureAction",
            "validationFailureAction: Audit",
            "validationFailureAction: Audit",
            "validationFailureAction: Enforce"),
        rules(
            "rules[].validate.failureActionOverrides",
            "",
            "failureAction: Audit",
            "failureAction: Audit, failureActionOverrides: [{action: Enforce, namespaces:"
                + " [NAMESPACE]}]"),
        rules(
            "spec.validationFailureActionOverrides",
            "validationFailureActionOverrides: [{action: Audit, namespaces: [NAMESPACE]}]",
            "[{action: Audit, namespaces: [NAMESPACE]}]",
            "[{action: Enforce, namespaces: ['*']}]"),
        images(),
        inNamespace(),
        cel("ValidatingPolicy", "validatingpolicies", "KyvernoValidatingPolicy"),
        celInNamespace(
            "NamespacedValidatingPolicy",
            "namespacedvalidatingpolicies",
            "KyvernoValidatingPolicy"),
        celImages(),
        binding());
  }

  /// @param spec beside the rules
  private static Place rules(String name, String spec, String audit, String enforce) {
    var action = spec.isEmpty() ? "failureAction: Audit, " : "";
    var policy =
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata:
          name: places
        spec:
          %s
          rules:
            - name: has-team
              match: {any: [{resources: {kinds: [Pod]}}]}
              validate: {%s message: set the label team, pattern: {metadata: {labels: {team: "?*"}}}}
        """
            .formatted(spec, action);
    return new Place(
        name,
        policy,
        audit,
        enforce,
        Result.fails("places", "autogen-has-team"),
        "/apis/kyverno.io/v1/clusterpolicies/places");
  }

  private static Place images() {
    return new Place(
        "rules[].verifyImages[].failureAction",
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata:
          name: places
        spec:
          rules:
            - name: signed
              match: {any: [{resources: {kinds: [Pod]}}]}
              verifyImages:
                - {imageReferences: ["registry.example.com/*"], failureAction: Audit, mutateDigest: false}
        """,
        "failureAction: Audit",
        "failureAction: Enforce",
        Result.fails("places", "signed"),
        "/apis/kyverno.io/v1/clusterpolicies/places");
  }

  private static Place inNamespace() {
    return new Place(
        "a Policy's rule",
        """
        apiVersion: kyverno.io/v1
        kind: Policy
        metadata:
          name: places
          namespace: NAMESPACE
        spec:
          rules:
            - name: has-team
              match: {any: [{resources: {kinds: [Pod]}}]}
              validate: {failureAction: Audit, message: set it, pattern: {metadata: {labels: {team: "?*"}}}}
        """,
        "failureAction: Audit",
        "failureAction: Enforce",
        Result.fails("NAMESPACE/places", "has-team"),
        "/apis/kyverno.io/v1/namespaces/NAMESPACE/policies/places");
  }

  private static Place cel(String kind, String plural, String source) {
    return new Place(
        kind,
        """
        apiVersion: policies.kyverno.io/v1
        kind: %s
        metadata:
          name: places
        spec:
          validationActions: [Audit]
          matchConstraints: {%s}
          validations: [{expression: "has(object.metadata.labels)"}]
        """
            .formatted(kind, POD_RULE),
        "[Audit]",
        "[Deny]",
        new Result(source, "places", "", "fail"),
        "/apis/policies.kyverno.io/v1/" + plural + "/places");
  }

  private static Place celInNamespace(String kind, String plural, String source) {
    var place = cel(kind, plural, source);
    return new Place(
        kind,
        place.policy().replace("  name: places", "  name: places\n  namespace: NAMESPACE"),
        place.audit(),
        place.enforce(),
        new Result(source, "NAMESPACE/places", "", "fail"),
        "/apis/policies.kyverno.io/v1/namespaces/NAMESPACE/" + plural + "/places");
  }

  private static Place celImages() {
    return new Place(
        "ImageValidatingPolicy",
        """
        apiVersion: policies.kyverno.io/v1
        kind: ImageValidatingPolicy
        metadata:
          name: places
        spec:
          validationActions: [Audit]
          matchConstraints: {%s}
          matchImageReferences: [{glob: "registry.example.com/*"}]
          attestors: [{name: notary, notary: {certs: {value: none}}}]
          validations: [{expression: "true"}]
        """
            .formatted(POD_RULE),
        "[Audit]",
        "[Audit, Deny]",
        new Result("KyvernoImageValidatingPolicy", "places", "", "fail"),
        "/apis/policies.kyverno.io/v1/imagevalidatingpolicies/places");
  }

  private static Place binding() {
    return new Place(
        "ValidatingAdmissionPolicyBinding",
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicy
        metadata:
          name: places
        spec:
          matchConstraints: {%s}
          validations: [{expression: "has(object.metadata.labels)"}]
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicyBinding
        metadata:
          name: places
        spec:
          policyName: places
          validationActions: [Audit]
        """
            .formatted(POD_RULE),
        "validationActions: [Audit]",
        "validationActions: [Deny]",
        new Result("ValidatingAdmissionPolicy", "places", "places", "fail"),
        "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/places");
  }
}
