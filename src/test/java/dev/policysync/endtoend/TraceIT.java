package dev.policysync.endtoend;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Feeds;
import dev.policysync.harness.LoopbackHttps;
import dev.policysync.harness.TestAuthority;
import dev.policysync.testcluster.AuditLog;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A run that is part of a trace is found by the trace's id, at both servers and in its own log.
class TraceIT extends EndToEnd {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String TRACEPARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";

  @BeforeEach
  void trace() {
    agent.with("TRACEPARENT", TRACEPARENT);
    insights.expects(Feeds.of(clusterPolicy("a", "Audit")));
  }

  @Test
  void hasItsIdInEachLineAndAtBothServers() {
    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(run.stdout().lines())
        .hasSizeGreaterThan(1)
        .allMatch(line -> line.contains("\"run\":\"" + TRACE + "\""));
    assertThat(insights.headers("traceparent")).isNotEmpty().containsOnly(TRACEPARENT);
    assertThat(insights.headers("X-Request-ID")).containsOnly(TRACE);
    assertThat(audit.writes())
        .extracting(AuditLog.Entry::userAgent)
        .filteredOn(userAgent -> userAgent.startsWith("policy-sync/"))
        .isNotEmpty()
        .allMatch(userAgent -> userAgent.endsWith("(run " + TRACE + ")"));
  }

  @Test
  void passesTheHeaderOnToTheApiServer() throws IOException {
    List<String> seen = new CopyOnWriteArrayList<>();
    var server = LoopbackHttps.create(TestAuthority.shared());
    server.createContext(
        "/",
        exchange -> {
          seen.add(String.valueOf(exchange.getRequestHeaders().getFirst("traceparent")));
          exchange.sendResponseHeaders(403, -1);
          exchange.close();
        });
    server.start();
    try {
      var _ = agent.through(server.getAddress().getPort(), TestAuthority.shared().pem()).run();
    } finally {
      server.stop(0);
    }

    assertThat(seen).isNotEmpty().containsOnly(TRACEPARENT);
  }
}
