package dev.policysync.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.FakeInsights.Received;
import dev.policysync.harness.Feeds;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// docs/api/openapi.yaml against every request that the built program sends: nothing is sent that
/// it does not describe, and nothing is described that is not sent.
class ApiContractIT extends EndToEnd {
  private final OpenApi openApi = OpenApi.read();

  @Test
  void describesEachRequestAndNoOther() {
    insights.expects(
        Feeds.of(Feeds.clusterPolicy("kept", "Audit"), Feeds.clusterPolicy("dropped", "Audit")));
    agent.run();
    var refused = Feeds.clusterPolicy("refused", "Audit").replace("spec:", "spec:\n  nonsense: 1");
    insights.expects(Feeds.of(Feeds.clusterPolicy("kept", "Enforce"), refused));
    agent.run();
    insights.expects(Feeds.clusterPolicy("kept", "Enforce"));
    agent.run();
    agent.run("check");
    agent.run("report");
    agent.as(cluster.serviceAccountToken(namespace, "nobody")).run("report");

    var called = new LinkedHashSet<OpenApi.Operation>();
    for (var request : insights.requests()) {
      var operation = openApi.of(request.method(), request.path()).orElseThrow();
      called.add(operation);
      assertThat(problems(operation, request)).as(request.toString()).isEmpty();
    }
    assertThat(called).containsExactlyInAnyOrderElementsOf(openApi.operations());
    assertThat(insights.statuses().toString()).contains("\"delete\"", "\"failed\"", "\"success\"");
  }

  @Test
  void noticesWhatIsOtherwise() {
    var operation = openApi.of("PUT", "/v0/organizations/a/clusters/c/policies/apply-status");
    var odd =
        new Received(
            "PUT", "", Map.of("X-Request-ID", "not one"), "{\"policyName\": \"a\", \"more\": 1}");

    assertThat(problems(operation.orElseThrow(), odd).toString())
        .contains("X-Request-ID", "User-Agent", "Content-Type", "more", "reportType");
    assertThat(openApi.of("POST", "/v0/organizations/a/clusters/c/policies/apply-status"))
        .isEmpty();
    assertThat(openApi.of("GET", "/v0/organizations/a/clusters/c/policies")).isEmpty();
  }

  private List<String> problems(OpenApi.Operation operation, Received request) {
    var problems = new ArrayList<String>();
    openApi
        .headers(operation)
        .forEach((name, header) -> {
          var value = request.headers().get(name);
          if (value == null) {
            if (header.field("required").equals(Optional.of(new Value.Bool(true)))) {
              problems.add("no " + name);
            }
          } else {
            openApi
                .problems(header.mapping("schema"), CanonicalJson.write(new Value.Text(value)))
                .forEach(problem -> problems.add(name + ": " + problem));
          }
        });
    var body = operation.content().mapping("requestBody");
    if (body.fields().isEmpty()) {
      if (!request.body().isEmpty()) {
        problems.add("a body");
      }
      return problems;
    }
    var content = body.mapping("content").fields();
    var type = request.headers().getOrDefault("Content-Type", "").split(";", 2)[0];
    if (!content.containsKey(type)) {
      problems.add("Content-Type: " + type);
    }
    var schema = ((Value.Mapping) content.values().iterator().next()).mapping("schema");
    // The one that is no JSON, whatever its type says.
    var json =
        schema.text("type").orElse("").equals("string")
            ? CanonicalJson.write(new Value.Text(request.body()))
            : request.body();
    problems.addAll(openApi.problems(schema, json));
    return problems;
  }
}
