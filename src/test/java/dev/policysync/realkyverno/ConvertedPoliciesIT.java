package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.convert.Conversion;
import dev.policysync.convert.Converter;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A policy, and what `convert` writes of it, block the same in a real Kyverno: whose command line
/// does not tell what is blocked from what is only reported.
class ConvertedPoliciesIT extends WithKyverno {
  private static final String RULES =
      """
        rules:
        - name: team
          match: {any: [{resources: {kinds: [Pod], operations: [CREATE]}}]}
          validate: {message: set the label team, pattern: {metadata: {labels: {team: "?*"}}}}
      """;

  @Test
  void blocksWhereTheActionOfTheNamespaceIsEnforce() {
    assertBlocksAlike(
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata: {name: by-namespace}
        spec:
          validationFailureAction: Audit
          validationFailureActionOverrides: [{action: Enforce, namespaces: [%s]}]
        """
                .formatted(namespace)
            + RULES);
  }

  @Test
  void blocksInTheNamespaceOfThePolicy() {
    assertBlocksAlike(
        """
        apiVersion: kyverno.io/v1
        kind: Policy
        metadata: {name: namespaced, namespace: %s}
        spec:
          validationFailureAction: Enforce
        """
                .formatted(namespace)
            + RULES);
  }

  @Test
  void blocksInNamespacesWithALabel() {
    label(namespace);
    assertBlocksAlike(
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata: {name: by-label}
        spec:
          validationFailureAction: Enforce
        """
            + RULES.replace(
                "operations: [CREATE]",
                "operations: [CREATE], namespaceSelector: {matchLabels: {tier: \"pro*\"}}"));
  }

  @Test
  void blocksByTheNamespaceObject() {
    label(namespace);
    assertBlocksAlike(
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata: {name: by-namespace-object}
        spec:
          validationFailureAction: Enforce
          rules:
          - name: team
            match: {any: [{resources: {kinds: [Pod], operations: [CREATE]}}]}
            validate:
              message: set the label team
              cel:
                generate: false
                expressions:
                - expression: >-
                    namespaceObject.metadata.?labels[?'tier'].orValue('') != 'prod'
                    || has(object.metadata.labels) && 'team' in object.metadata.labels
        """);
  }

  @Test
  void blocksByWhoMakesTheRequest() {
    assertBlocksAlike(
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata: {name: by-user}
        spec:
          background: false
          validationFailureAction: Enforce
          rules:
          - name: team
            match:
              any:
              - resources: {kinds: [Pod], operations: [CREATE]}
                subjects: [{kind: Group, name: "system:mas*"}]
            exclude:
              any:
              - resources: {namespaces: ["*-b"]}
                subjects: [{kind: User, name: nobody}, {kind: Group, name: "system:masters"}]
            validate: {message: set the label team, pattern: {metadata: {labels: {team: "?*"}}}}
        """);
  }

  private void label(String namespace) {
    cluster
        .admin()
        .merge(
            "/api/v1/namespaces/" + namespace, Documents.yaml("{metadata: {labels: {tier: prod}}}"))
        .ok();
  }

  @Test
  void exemptsWhatTheExceptionExempts() {
    var conversions =
        conversions(
            """
            apiVersion: kyverno.io/v2
            kind: PolicyException
            metadata: {name: tools, namespace: %s}
            spec:
              exceptions: [{policyName: with-exception, ruleNames: [team]}]
              match: {any: [{resources: {kinds: [Pod], namespaces: [%s]}}]}
              conditions:
                all:
                  - {key: "{{ request.object.metadata.labels.tool || '' }}", operator: Equals, value: "yes"}
            ---
            apiVersion: kyverno.io/v1
            kind: ClusterPolicy
            metadata: {name: with-exception}
            spec:
              validationFailureAction: Enforce
            """
                    .formatted(namespace, namespace)
                + RULES);

    conversions.forEach(
        conversion -> apply(conversion.policy().id(), conversion.policy().content()));
    assertExempts();
    conversions.forEach(conversion -> cluster.admin().delete(path(conversion.policy().id())).ok());
    await("the policy to be gone", () -> tries("any").status() == 201);

    conversions.stream()
        .flatMap(conversion -> conversion.successors().stream())
        .forEach(successor -> apply(successor.id(), successor.manifest()));
    assertExempts();
  }

  /// What is missing is an error, which blocks, in both forms.
  @Test
  void readsTheSameConfigMap() {
    assertReadsAlike(
        """
        - name: teams
          configMap: {name: teams, namespace: %s}
        """
            .formatted(namespace),
        "{key: \"{{ request.object.metadata.labels.team }}\", operator: AnyNotIn,"
            + " value: \"{{ teams.data.known }}\"}");
  }

  @Test
  void readsTheSameResource() {
    assertReadsAlike(
        """
        - name: team
          apiCall: {urlPath: "/api/v1/namespaces/{{request.namespace}}/configmaps/teams", jmesPath: metadata.labels.team}
        """,
        "{key: \"{{ team }}\", operator: NotEquals, value: shop},"
            + " {key: \"{{ request.object.metadata.labels.team }}\", operator: NotEquals, value:"
            + " shop}");
  }

  /// A list of nothing is no error: what it has to hold is not there.
  @Test
  void readsTheSameList() {
    assertReadsAlike(
        """
        - name: teams
          apiCall: {urlPath: "/api/v1/namespaces/{{request.namespace}}/configmaps", jmesPath: "items[?metadata.name == 'teams'].metadata.labels.team"}
        """,
        "{key: \"{{ request.object.metadata.labels.team }}\", operator: AnyNotIn,"
            + " value: \"{{ teams }}\"}");
  }

  /// A path that ends without a name is that of all, which have none.
  @Test
  void readsTheSameWithoutAName() {
    var conversion =
        reading(
            """
            - name: found
              apiCall: {urlPath: "/api/v1/namespaces/{{request.namespace}}/configmaps/{{ request.object.metadata.labels.source || '' }}", jmesPath: "metadata.name || 'none'"}
            """,
            "{key: \"{{ found }}\", operator: NotEquals, value: none}");
    var legacy = conversion.policy();
    apply(legacy.id(), legacy.content());
    assertReadsNoName();
    cluster.admin().delete(path(legacy.id())).ok();
    await("the policy to be gone", () -> in(namespace, "source: missing").status() == 201);

    conversion.successors().forEach(successor -> apply(successor.id(), successor.manifest()));
    assertReadsNoName();
  }

  @Test
  void comparesWithTheObjectBefore() {
    assertKeepsTeams(
        """
        - name: team
          match: {any: [{resources: {kinds: [ConfigMap], operations: [UPDATE]}}]}
          validate:
            allowExistingViolations: false
            message: the team stays
            deny: {conditions: {any: [{key: "{{ request.object.metadata.labels.team || '' }}", operator: NotEquals, value: "{{ request.oldObject.metadata.labels.team || '' }}"}]}}
        - name: kept
          match: {any: [{resources: {kinds: [ConfigMap], operations: [DELETE]}}]}
          validate:
            message: it is kept
            deny: {conditions: {any: [{key: "{{ request.oldObject.metadata.labels.kept || '' }}", operator: Equals, value: "yes"}]}}
        """);
  }

  @Test
  void comparesWithTheObjectBeforeInCel() {
    assertKeepsTeams(
        """
        - name: team
          match: {any: [{resources: {kinds: [ConfigMap], operations: [CREATE, UPDATE]}}]}
          validate:
            message: the team stays
            cel:
              expressions:
              - expression: >-
                  oldObject == null
                  || object.metadata.?labels[?'team'] == oldObject.metadata.?labels[?'team']
        - name: kept
          match: {any: [{resources: {kinds: [ConfigMap]}}]}
          celPreconditions: [{name: deletions, expression: object == null}]
          validate:
            message: it is kept
            cel: {expressions: [{expression: "oldObject.metadata.?labels[?'kept'].orValue('') != 'yes'"}]}
        """);
  }

  private void assertKeepsTeams(String rules) {
    var conversion =
        conversions(
                """
                apiVersion: kyverno.io/v1
                kind: ClusterPolicy
                metadata: {name: keeping}
                spec:
                  background: false
                  validationFailureAction: Enforce
                  rules:
                """
                    + rules.indent(2))
            .getFirst();
    var legacy = conversion.policy();
    apply(legacy.id(), legacy.content());
    assertKeepsTeams();
    cluster.admin().delete(path(legacy.id())).ok();
    await("the policy to be gone", () -> merged("{labels: {team: other}}").status() == 200);

    conversion.successors().forEach(successor -> apply(successor.id(), successor.manifest()));
    assertKeepsTeams();
    conversion.successors().forEach(one -> cluster.admin().delete(path(one.id())).ok());
    await("the successors to be gone", () -> merged("{labels: {team: other}}").status() == 200);
    cluster.admin().delete(configMap()).ok();
  }

  private void assertKeepsTeams() {
    cluster
        .admin()
        .apply(
            configMap() + "?fieldManager=test",
            """
            {"apiVersion": "v1", "kind": "ConfigMap",
             "metadata": {"name": "kept", "labels": {"team": "shop", "kept": "yes"}}}
            """)
        .ok();
    await("a change to be refused", () -> merged("{labels: {team: other}}").status() == 400);
    assertThat(merged("{labels: {team: null}}").status()).isEqualTo(400);
    assertThat(merged("{labels: {other: x}}").status()).isEqualTo(200);
    await(
        "a deletion to be refused",
        () -> cluster.admin().delete(configMap() + "?dryRun=All").status() == 400);
  }

  private RawApi.Reply merged(String metadata) {
    return cluster
        .admin()
        .merge(configMap() + "?dryRun=All", Documents.yaml("{metadata: " + metadata + "}"));
  }

  private String configMap() {
    return "/api/v1/namespaces/" + namespace + "/configmaps/kept";
  }

  private void assertReadsNoName() {
    await("a pod to be refused", () -> in(namespace, "source: missing").status() == 400);
    assertThat(in(namespace, "source: \"\"").status()).isEqualTo(201);
    assertThat(in(namespace, "team: shop").status()).isEqualTo(201);
  }

  private void assertReadsAlike(String context, String condition) {
    var conversion = reading(context, condition);
    var legacy = conversion.policy();
    apply(legacy.id(), legacy.content());
    assertReadsTeams();
    cluster.admin().delete(path(legacy.id())).ok();
    await("the policy to be gone", () -> in(namespace, "team: none").status() == 201);

    conversion.successors().forEach(successor -> apply(successor.id(), successor.manifest()));
    assertReadsTeams();
  }

  private Conversion reading(String context, String condition) {
    return conversions(
            """
            apiVersion: kyverno.io/v1
            kind: ClusterPolicy
            metadata: {name: reading}
            spec:
              validationFailureAction: Enforce
              rules:
              - name: team
                match: {any: [{resources: {kinds: [Pod], operations: [CREATE]}}]}
                context:
            """
                + context.indent(4)
                + """
                    validate: {message: unknown team, deny: {conditions: {any: [CONDITION]}}}
                """
                    .replace("CONDITION", condition))
        .getFirst();
  }

  private void assertReadsTeams() {
    await("a pod to be refused", () -> in(namespace, "team: shop").status() == 400);
    var path = "/api/v1/namespaces/" + namespace + "/configmaps/teams";
    cluster
        .admin()
        .apply(
            path + "?fieldManager=test",
            """
            {"apiVersion": "v1", "kind": "ConfigMap",
             "metadata": {"name": "teams", "labels": {"team": "shop"}},
             "data": {"known": "[\\"shop\\"]"}}
            """)
        .ok();
    await("the team to be known", () -> in(namespace, "team: shop").status() == 201);
    assertThat(in(namespace, "team: other").status()).isEqualTo(400);
    cluster.admin().delete(path).ok();
    await("the team to be unknown", () -> in(namespace, "team: shop").status() == 400);
  }

  private void assertExempts() {
    await("a pod to be refused", () -> in(namespace, "").status() == 400);
    await("a pod to be exempted", () -> in(namespace, "tool: \"yes\"").status() == 201);
    assertThat(in(namespace, "tool: \"no\"").status()).isEqualTo(400);
  }

  private void assertBlocksAlike(String policy) {
    var other = namespace + "-b";
    createNamespace(other);
    var conversion = conversions(policy).getFirst();

    var legacy = conversion.policy();
    apply(legacy.id(), legacy.content());
    assertBlocksIn(namespace, other);
    cluster.admin().delete(path(legacy.id())).ok();
    await("the policy to be gone", () -> tries("any").status() == 201);

    conversion.successors().forEach(successor -> apply(successor.id(), successor.manifest()));
    assertBlocksIn(namespace, other);
  }

  private void assertBlocksIn(String blocked, String other) {
    await("a pod to be refused in " + blocked, () -> in(blocked, "").status() == 400);
    assertThat(in(blocked, "team: shop").status()).isEqualTo(201);
    assertThat(in(other, "").status()).isEqualTo(201);
  }

  private RawApi.Reply in(String namespace, String labels) {
    return cluster
        .admin()
        .post("/api/v1/namespaces/" + namespace + "/pods?dryRun=All", pod("any", labels));
  }

  private void apply(PolicyId id, Value.Mapping manifest) {
    cluster
        .admin()
        .apply(path(id) + "?fieldManager=test&force=true", CanonicalJson.write(manifest))
        .ok();
    awaitReady(id);
  }

  private static String path(PolicyId id) {
    return RawApi.path(id, id.kind().versions().getFirst());
  }

  private static List<Conversion> conversions(String policies) {
    var manifest = new Manifest("policies", policies.getBytes(StandardCharsets.UTF_8));
    var conversions = new Converter().convert(PolicyReader.readLocated(List.of(manifest)));
    assertThat(conversions).flatMap(Conversion::refusals).isEmpty();
    return conversions;
  }
}
