package dev.policysync.remote.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Failure.Cause;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The API server's refusals one by one, each by a request that brings it about: what is made of
/// them, that they quote nothing of a policy, and that nothing is asked twice.
@RealCluster
class ApiServerAnswersIT {
  private static final String THERE = "kyverno.io/v1/clusterpolicies/there";
  private static final String STRICT = "fieldManager=kyverno-policy-sync&fieldValidation=Strict";
  private static final Pattern REPEATED = Pattern.compile("(s3cret)x(\\d+)");

  private Sandbox sandbox;
  private KubeApi api;

  @BeforeEach
  void enter(Sandbox sandbox) {
    this.sandbox = sandbox;
    this.api = new KubeApi(sandbox.cluster().connect(sandbox.cluster().adminToken()));
    sandbox
        .admin()
        .apply("/apis/" + THERE + "?fieldManager=someone", body(THERE, "spec: {background: false}"))
        .ok();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          unknown field          | kyverno.io/v1/clusterpolicies/a | spec: {backgruond: true}                             | 500 | INVALID | .spec.backgruond: field not declared in schema
          wrong type             | kyverno.io/v1/clusterpolicies/a | spec: {background: s3cret}                           | 500 | INVALID | .spec.background: expected boolean, got …
          mapping for a list     | kyverno.io/v1/clusterpolicies/a | spec: {rules: {s3cret: 1}}                           | 500 | INVALID | .spec.rules: expected list, got …
          two items of one key   | policies.kyverno.io/v1/validatingpolicies/a | spec: {variables: [{name: a}, {name: a}]} | 500 | INVALID | .spec.variables: duplicate entries for key [name="a"]
          set with a value twice | policies.kyverno.io/v1/validatingpolicies/a | spec: {validationActions: [s3cret, s3cret]} | 500 | INVALID | .spec.validationActions: duplicate entries for key …
          enum                   | kyverno.io/v1/clusterpolicies/a | spec: {failurePolicy: s3cret}                        | 422 | INVALID | spec.failurePolicy: Unsupported value: …: supported values: "Ignore", "Fail"
          required field missing | kyverno.io/v1/clusterpolicies/a | spec: {rules: [{match: {}}]}                         | 422 | INVALID | spec.rules[0].name: Required value
          name too long          | kyverno.io/v1/clusterpolicies/a | spec: {rules: [{name: s3cretx11, match: {}}]}        | 422 | INVALID | spec.rules[0].name: Too long: may not be more than 63 bytes
          label that is none     | kyverno.io/v1/clusterpolicies/a | metadata: {name: a, labels: {x: s3cret s3cret}}      | 422 | INVALID | metadata.labels: Invalid value: …: a valid label must be
          annotations too long   | kyverno.io/v1/clusterpolicies/a | metadata: {name: a, annotations: {x: s3cretx50000}}  | 422 | INVALID | metadata.annotations: Too long: may not be more than 262144 bytes
          too long for etcd      | kyverno.io/v1/clusterpolicies/a | spec: {rules: [{name: a, match: {}, validate: {message: s3cretx300000}}]} | 500 | INVALID | etcdserver: request is too large
          too long altogether    | kyverno.io/v1/clusterpolicies/a | spec: {rules: [{name: a, match: {}, validate: {message: s3cretx600000}}]} | 413 | INVALID | Request entity too large
          key twice              | kyverno.io/v1/clusterpolicies/a | spec: {background: true, background: false}          | 400 | INVALID | error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors: line 1: key "background" already set
          no YAML                | kyverno.io/v1/clusterpolicies/a | {s3cret: [                                           | 400 | INVALID | error decoding YAML
          another name           | kyverno.io/v1/clusterpolicies/a | metadata: {name: b}                                  | 400 | INVALID | does not match the name on the URL (a)
          another kind           | policies.kyverno.io/v1/validatingpolicies/a | {apiVersion: kyverno.io/v1, kind: ClusterPolicy, metadata: {name: a}} | 400 | INVALID | invalid object type
          managed fields         | kyverno.io/v1/clusterpolicies/a | metadata: {name: a, managedFields: [{manager: x, operation: Apply, apiVersion: kyverno.io/v1, fieldsType: FieldsV1, fieldsV1: {}}]} | 400 | INVALID | metadata.managedFields must be nil
          no field manager       | kyverno.io/v1/clusterpolicies/a?fieldValidation=Strict | spec: {}                      | 422 | INVALID | fieldManager: Required value
          field of another       | kyverno.io/v1/clusterpolicies/there | spec: {background: true}                         | 409 | CONFLICT | conflict with "someone": .spec.background
          outdated version       | kyverno.io/v1/clusterpolicies/there | metadata: {name: there, resourceVersion: '1'}    | 409 | CONFLICT | the object has been modified
          another's uid          | kyverno.io/v1/clusterpolicies/there | metadata: {name: there, uid: another}            | 422 | INVALID  | metadata.uid: Invalid value: …: field is immutable
          namespace missing      | kyverno.io/v1/namespaces/nowhere/policies/a | spec: {}                                 | 404 | NOT_FOUND | namespaces "nowhere" not found; create the namespace first
          version not served     | kyverno.io/v9/clusterpolicies/a | spec: {}                                             | 404 | SERVER_ERROR | its CRD may have been deleted or replaced
          kind not served        | kyverno.io/v1/clusterpolices/a  | spec: {}                                             | 404 | SERVER_ERROR | its CRD may have been deleted or replaced
          """)
  void answersToAnApplyAreClassified(
      String what, String path, String fields, int status, Cause cause, String says) {
    var url = url(path.contains("?") ? path : path + "?" + STRICT);
    var log = sandbox.cluster().auditLog();

    var apiResponse = api.send("PATCH", url, KubeApi.APPLY, body(path, fields), KubeApi.METADATA);

    assertUnderstood(apiResponse, status, cause, says);
    assertThat(log.entries()).as(what).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          DELETE | kyverno.io/v1/clusterpolicies/there | application/json | {"preconditions": {"uid": "another"}}       | 409 | CONFLICT  | the UID in the precondition
          DELETE | kyverno.io/v1/clusterpolicies/there | application/json | {"preconditions": {"resourceVersion": "1"}} | 409 | CONFLICT  | the ResourceVersion in the precondition
          DELETE | kyverno.io/v1/clusterpolicies/gone  | application/json | {}                                          | 404 | NOT_FOUND | "gone" not found
          PATCH  | kyverno.io/v1/clusterpolicies/there | text/plain       | {}                                          | 415 | INVALID   | unknown format
          """)
  void answersToOtherWritesAreClassified(
      String method, String path, String type, String body, int status, Cause cause, String says) {
    var log = sandbox.cluster().auditLog();

    var apiResponse = api.send(method, url(path), MediaType.get(type), body, KubeApi.METADATA);

    assertUnderstood(apiResponse, status, cause, says);
    assertThat(log.entries()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kyverno.io/v1/clusterpolicies?limit=1&continue=s3cret|400|INVALID|invalid continue token",
        "kyverno.io/v9/clusterpolicies|404|SERVER_ERROR|its CRD may have been deleted or replaced",
      })
  void answersToAListAreClassified(String path, int status, Cause cause, String says) {
    var log = sandbox.cluster().auditLog();

    var apiResponse = api.get(url(path), KubeApi.METADATA_LIST);

    assertUnderstood(apiResponse, status, cause, says);
    assertThat(log.entries()).hasSize(1);
  }

  private static void assertUnderstood(
      ApiResponse apiResponse, int status, Cause cause, String says) {
    var failure = ApiErrorClassifier.classify("try it", apiResponse);
    assertThat(failure.cause()).as(failure.reason()).isEqualTo(cause);
    assertThat(failure.reason())
        .startsWith("try it: HTTP " + status + ", ")
        .contains(says)
        .doesNotContain("s3cret", "\n");
  }

  private HttpUrl url(String path) {
    return HttpUrl.get(sandbox.cluster().url() + "apis/" + path);
  }

  /// The object that belongs there, of these fields or wholly as it is written.
  private static String body(String path, String fields) {
    var text = REPEATED.matcher(fields).replaceAll(r -> r.group(1).repeat(times(r.group(2))));
    if (text.startsWith("{")) {
      return text;
    }
    var words = path.replaceFirst("\\?.*", "").split("/", -1);
    var kind =
        switch (words[words.length - 2]) {
          case "policies" -> "Policy";
          case "validatingpolicies" -> "ValidatingPolicy";
          default -> "ClusterPolicy";
        };
    var name = words[words.length - 1];
    var metadata = text.startsWith("metadata:") ? "" : "metadata: {name: " + name + "}, ";
    var type = "apiVersion: " + words[0] + "/" + words[1] + ", kind: " + kind;
    return "{" + type + ", " + metadata + text + "}";
  }

  private static int times(String number) {
    return Integer.parseInt(number);
  }
}
