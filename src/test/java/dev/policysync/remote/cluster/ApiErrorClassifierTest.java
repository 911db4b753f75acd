package dev.policysync.remote.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Failure.Cause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers that an API server alone does not give: they take Kyverno, a crowd of clients, or
/// another authorizer. The others are in [ApiServerAnswersIT] and [ApiErrorClassifierIT].
class ApiErrorClassifierTest {
  private static final String KYVERNO =
      "Internal error occurred: failed calling webhook \"validate-policy.kyverno.svc\": failed"
          + " to call"
          + " webhook: Post \"https://kyverno-svc.kyverno.svc:443/policyvalidate?timeout=10s\": ";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "remote error: tls: internal error",
        "no endpoints available for service \"kyverno-svc\"",
        "dial tcp 10.0.0.7:443: connect: connection refused",
        "EOF",
      })
  void kyvernoThatIsNotThereYetOrAnyMoreMayBeBackLater(String why) {
    var failure = refusal(500, KYVERNO + why);

    assertThat(failure)
        .isEqualTo(
            new Failure(
                Cause.WEBHOOK_UNREACHABLE,
                "apply it: HTTP 500, " + KYVERNO + why + "; check that Kyverno is running",
                Optional.of("validate-policy.kyverno.svc")));
    assertThat(failure.retryable()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "context deadline exceeded",
        "net/http: request canceled (Client.Timeout exceeded while awaiting headers)",
      })
  void kyvernoThatTakesTooLongMayHaveTooMuchToJudge(String why) {
    var failure = refusal(500, KYVERNO + why);

    assertThat(failure.reason())
        .endsWith(why + "; Kyverno may be overloaded: lower CONCURRENCY to reduce the load");
    assertThat(failure.retryable()).isTrue();
  }

  /// What etcd refuses, what its client does not send, and what the API server does not read.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "500|etcdserver: request is too large",
        "500|rpc error: code = ResourceExhausted desc = trying to send message larger than max"
            + " (2228471 vs. 2097152)",
        "413|Request entity too large: limit is 3145728",
      })
  void aPolicyThatIsTooLargeIsToldItsSizeTheLimitAndWhatToDo(int status, String message) {
    var manifest = new Value.Mapping(Map.of("a", new Value.Text("x".repeat(1_700_000))));

    var failure = ApiErrorClassifier.classify("apply it", answer(status, message), manifest);

    assertThat(failure.cause()).isEqualTo(Cause.INVALID);
    assertThat(failure.reason())
        .startsWith("apply it: HTTP " + status + ", ")
        .endsWith(
            "; the policy has 1.6 MiB, and etcd stores at most 1.5 MiB by default, managed fields"
                + " included: split its rules into several policies");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"", "\"two words\"", "\"a.example.com", "\"\": no"})
  void aWebhookWhoseNameIsNoneHasNone(String name) {
    var failure = refusal(500, "Internal error occurred: failed calling webhook " + name);

    assertThat(failure.cause()).isEqualTo(Cause.WEBHOOK_UNREACHABLE);
    assertThat(failure.webhook()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "408|UNREACHABLE|true",
        "429|OVERLOADED|true",
        "500|SERVER_ERROR|true",
        "502|SERVER_ERROR|true",
        "503|OVERLOADED|true",
        "504|UNREACHABLE|true",
        "401|UNAUTHORIZED|true",
        "301|SERVER_ERROR|true",
        "400|INVALID|false",
        "403|FORBIDDEN|false",
        "404|NOT_FOUND|false",
        "405|INVALID|false",
        "413|INVALID|false",
        "422|INVALID|false",
      })
  void theStatusDecidesWhereTheMessageSaysNothingMore(int status, Cause cause, boolean passes) {
    var failure = refusal(status, "it said so");

    assertThat(failure.cause()).isEqualTo(cause);
    assertThat(failure.retryable()).isEqualTo(passes);
    assertThat(failure.reason()).startsWith("apply it: HTTP " + status + ", it said so");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 422, 429, 500, 503})
  void aDenialIsForGoodWhateverStatusTheWebhookChose(int status) {
    var failure = refusal(status, "admission webhook \"a.example.com\" denied the request: no");

    assertThat(failure.cause()).isEqualTo(Cause.DENIED);
    assertThat(failure.retryable()).isFalse();
  }

  @Test
  void whatAPolicySaysDoesNotDecide() {
    var schema =
        "failed to create typed patch object (/a; kyverno.io/v1, Kind=ClusterPolicy): .spec.a:"
            + " expected map, got &{Internal error occurred: failed calling webhook \"x\"}";
    var value =
        "ClusterPolicy.kyverno.io \"a\" is invalid: spec.a: Invalid value: \"admission webhook"
            + " denied the request\": no";

    assertThat(refusal(500, schema).cause()).isEqualTo(Cause.INVALID);
    assertThat(refusal(422, value).cause()).isEqualTo(Cause.INVALID);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          policies.kyverno.io "a" is forbidden: User "u" cannot patch resource "policies" in API group "kyverno.io" in the namespace "shop" | ; add the verb patch on policies.kyverno.io to the agent's ClusterRole
          clusterpolicies.kyverno.io is forbidden: User "u" cannot list resource "clusterpolicies" in API group "kyverno.io" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io "x" not found | ; add the verb list on clusterpolicies.kyverno.io to the agent's ClusterRole
          namespaces is forbidden: User "u" cannot list resource "namespaces" in API group "" at the cluster scope | ; add the verb list on namespaces to the agent's ClusterRole
          forbidden: User "u" cannot get path "/apis" | ; add the verb get on the path (nonResourceURLs) /apis to the agent's ClusterRole
          forbidden: User "system:anonymous" cannot get path "/apis" | ; the request was anonymous: the kubeconfig user has no credentials, or its plugin returned none
          the corporate authorizer says no | ; check that the agent's ClusterRole allows it and that no proxy in between denies it
          """)
  void aForbiddenRequestSaysWhatToGrant(String message, String advice) {
    var failure = refusal(403, message);

    assertThat(failure)
        .isEqualTo(new Failure(Cause.FORBIDDEN, "apply it: HTTP 403, " + message + advice));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          policies.kyverno.io "a" is forbidden: unable to create new content in namespace shop because it is being terminated | TERMINATING | ; the namespace is being deleted: create it again once it is gone
          policies.kyverno.io "a" is forbidden: create not allowed while custom resource definition is terminating | TERMINATING | ; the kind's CRD is being deleted: install it again once it is gone
          policies.kyverno.io "a" is forbidden: exceeded quota: q, requested: count/policies.kyverno.io=1, used: count/policies.kyverno.io=5, limited: count/policies.kyverno.io=5 | FORBIDDEN | ; a ResourceQuota of the namespace allows no more: raise it, or remove objects
          policies.kyverno.io "a" is forbidden: status unknown for quota: q, resources: count/policies.kyverno.io | FORBIDDEN | ; a ResourceQuota of the namespace allows no more: raise it, or remove objects
          """)
  void aRefusalThatIsNoMatterOfRightsAdvisesNone(String message, Cause cause, String advice) {
    assertThat(refusal(403, message))
        .isEqualTo(new Failure(cause, "apply it: HTTP 403, " + message + advice));
  }

  @Test
  void aServerThatIsBusyForLongSaysHowLongItWasTried() {
    var busy =
        new ApiResponse(
            429,
            Value.Mapping.EMPTY.with("message", "too many requests"),
            List.of(),
            Optional.empty(),
            new ApiResponse.Attempts(10, Duration.ofMillis(45_200)));

    assertThat(ApiErrorClassifier.classify("list it", busy).reason())
        .isEqualTo(
            "list it: HTTP 429, too many requests; tried 10 times within 45 s, the next run tries"
                + " again");
  }

  @Test
  void aUsersNameMakesNoRefusalAnotherOne() {
    var message =
        "policies.kyverno.io \"a\" is forbidden: User \"is forbidden: exceeded quota: q\" cannot"
            + " patch resource \"policies\" in API group \"kyverno.io\" in the namespace \"shop\"";

    assertThat(refusal(403, message).reason())
        .contains("add the verb patch on policies.kyverno.io");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".spec.rules[0].validate.allowExistingViolations: field not declared in schema",
        """
        errors:
          .spec.rules[0].validate.allowExistingViolations: field not declared in schema
          .spec.rules[1].validate.allowExistingViolations: field not declared in schema\
        """,
      })
  void aStoredObjectThatDoesNotFitTheSchemaIsToldByItsMessage(String message) {
    assertThat(ApiErrorClassifier.notDeclared(message)).isTrue();
    assertThat(ApiErrorClassifier.notDeclared("failed to create typed patch object: " + message))
        .isFalse();
    assertThat(refusal(500, message).retryable()).isFalse();
  }

  @Test
  void aVersionThatItsCrdNoLongerHasIsToldByTheFirstWords() {
    var message = "request to convert CR to an invalid group/version: policies.kyverno.io/v1beta1";

    assertThat(ApiErrorClassifier.versionRemoved(answer(500, message))).isTrue();
    assertThat(ApiErrorClassifier.versionRemoved(answer(400, message))).isFalse();
    assertThat(ApiErrorClassifier.versionRemoved(answer(500, "admission webhook said " + message)))
        .isFalse();
  }

  @Test
  void anAnswerThatIsNoStatusIsStillAReason() {
    var failure =
        ApiErrorClassifier.classify(
            "apply it", new ApiResponse(403, Value.Mapping.EMPTY, List.of(), Optional.empty()));

    assertThat(failure.reason())
        .isEqualTo(
            "apply it: HTTP 403, no message; check that the agent's ClusterRole allows it and"
                + " that no proxy in between denies it");
  }

  private static Failure refusal(int status, String message) {
    return ApiErrorClassifier.classify("apply it", answer(status, message));
  }

  private static ApiResponse answer(int status, String message) {
    var body = new Value.Mapping(Map.of("message", new Value.Text(message)));
    return new ApiResponse(status, body, List.of(), Optional.empty());
  }
}
