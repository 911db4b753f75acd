package dev.policysync.remote.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.http.RawServer;
import dev.policysync.sync.FakeTime;
import dev.policysync.sync.PolicyEvent;
import dev.policysync.sync.PolicyEvent.Reason;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Events as a real API server takes them.
@RealCluster
class LeaseEventsIT {
  private static final PolicyEvent FAILED =
      new PolicyEvent(
          Reason.POLICY_FAILED,
          Optional.of(PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "a")),
          "Policy/shop/a: HTTP 422, no rules");

  private final FakeTime time = new FakeTime();
  private Sandbox sandbox;
  private String namespace;

  @BeforeEach
  void enter(Sandbox sandbox) {
    this.sandbox = sandbox;
    this.namespace = sandbox.namespace("agent");
  }

  @Test
  void standWithTheLeaseAndNameThePolicy() {
    assertThat(events(namespace).publish(List.of(FAILED))).isEmpty();

    var event = only();
    assertThat(event.text("reason")).contains("PolicyFailed");
    assertThat(event.text("type")).contains("Warning");
    assertThat(event.text("action")).contains("Apply");
    assertThat(event.text("note")).contains("Policy/shop/a: HTTP 422, no rules");
    assertThat(event.mapping("regarding").text("name")).contains("kyverno-policy-sync-lock");
    assertThat(event.mapping("regarding").text("namespace")).contains(namespace);
    assertThat(event.mapping("related").text("kind")).contains("Policy");
    assertThat(event.mapping("related").text("namespace")).contains("shop");
    assertThat(event.text("reportingInstance")).contains("pod-3f9a1c2e");
  }

  @Test
  void areCountedWhereTheyAreSaidAgain() {
    var updated = new PolicyEvent(Reason.POLICY_UPDATED, FAILED.policy(), "Policy/shop/a: drifted");
    events(namespace).publish(List.of(updated));
    assertThat(events(namespace).publish(List.of(updated))).isEmpty();
    assertThat(events(namespace).publish(List.of(updated))).isEmpty();

    assertThat(count()).isEqualTo(new Value.Numeric("3"));
  }

  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {
        "POLICY_CONFLICT",
        "POLICY_FAILED",
        "REMOVAL_FAILED",
        "POLICY_WITHHELD",
        "REMOVAL_WITHHELD"
      })
  void areSaidAgainOnceAnHourWhileSomethingLasts(Reason reason) {
    var lasting = new PolicyEvent(reason, FAILED.policy(), "the feed is empty");
    events(namespace).publish(List.of(lasting));
    var log = sandbox.cluster().auditLog();

    time.advance(Duration.ofMinutes(59));
    assertThat(events(namespace).publish(List.of(lasting))).isEmpty();
    assertThat(log.writes()).isEmpty();

    time.advance(Duration.ofMinutes(2));
    assertThat(events(namespace).publish(List.of(lasting))).isEmpty();
    assertThat(count()).isEqualTo(new Value.Numeric("2"));

    time.advance(Duration.ofMinutes(59));
    assertThat(events(namespace).publish(List.of(lasting))).isEmpty();
    assertThat(count()).isEqualTo(new Value.Numeric("2"));

    time.advance(Duration.ofMinutes(2));
    assertThat(events(namespace).publish(List.of(lasting))).isEmpty();
    assertThat(count()).isEqualTo(new Value.Numeric("3"));
  }

  @Test
  void differByReasonPolicyAndNote() {
    var removal = new PolicyEvent(Reason.REMOVAL_WITHHELD, FAILED.policy(), FAILED.note());
    var another = new PolicyEvent(Reason.POLICY_FAILED, Optional.empty(), FAILED.note());
    var words = new PolicyEvent(Reason.POLICY_FAILED, FAILED.policy(), "other words");

    assertThat(events(namespace).publish(List.of(FAILED, removal, another, words))).isEmpty();

    assertThat(all()).hasSize(4);
  }

  @Test
  void areOfEveryReasonAndOfAnyLength() {
    for (var reason : Reason.values()) {
      var wordy = new PolicyEvent(reason, Optional.empty(), "größe ".repeat(1_000));
      assertThat(events(namespace).publish(List.of(wordy))).isEmpty();
    }

    assertThat(all())
        .hasSize(Reason.values().length)
        .allSatisfy(event -> assertThat(event.text("note").orElse("")).endsWith("…"));
  }

  @Test
  void areRefusedWithTheRightsThatAreMissing() {
    var connection = sandbox.cluster().connect(sandbox.tokenOf("nobody"));
    var events = new LeaseEvents(connection, namespace, "pod", time.clock());

    assertThat(events.publish(List.of(FAILED)))
        .contains(
            "create an Event: HTTP 403; add the verb create on events.events.k8s.io to the agent's"
                + " Role in namespace "
                + namespace);
  }

  @Test
  void areRefusedWhereThereIsNoNamespace() {
    assertThat(events("nowhere").publish(List.of(FAILED)))
        .hasValueSatisfying(why ->
            assertThat(why)
                .contains("create an Event in namespace nowhere: HTTP 404")
                .contains("create the namespace first"));
  }

  /// Each answer waits until a second request has come.
  @Test
  void areWrittenSideBySide() throws Exception {
    var both = new CyclicBarrier(2);
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext(
        "/",
        exchange -> {
          try {
            both.await(TimeLimits.WAIT.toSeconds(), TimeUnit.SECONDS);
            exchange.sendResponseHeaders(201, -1);
          } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            exchange.sendResponseHeaders(500, -1);
          } finally {
            exchange.close();
          }
        });
    server.start();
    try {
      var connection = connectionTo("http://127.0.0.1:" + server.getAddress().getPort());

      var reason =
          new LeaseEvents(connection, namespace, "pod", time.clock(), TimeLimits.WAIT)
              .publish(applied(2));

      assertThat(reason).isEmpty();
    } finally {
      server.stop(0);
    }
  }

  @Test
  void areGivenUpWhereTheServerDoesNotAnswerInTime() throws IOException {
    try (var silent = RawServer.silent()) {
      var events =
          new LeaseEvents(
              connectionTo(silent.url()), namespace, "pod", time.clock(), Duration.ofSeconds(1));

      assertThat(events.publish(applied(21)))
          .hasValueSatisfying(reason ->
              assertThat(reason)
                  .startsWith("POST " + silent.url())
                  .endsWith("writing Events took longer than 1 s"));
    }
  }

  private static ClusterConnection connectionTo(String url) {
    return new ClusterConnection(HttpUrl.get(url), new OkHttpClient(), "default", () -> {});
  }

  private static List<PolicyEvent> applied(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i -> new PolicyEvent(Reason.POLICY_APPLIED, Optional.empty(), "ClusterPolicy/p" + i))
        .toList();
  }

  private LeaseEvents events(String in) {
    var connection = sandbox.cluster().connect(sandbox.cluster().adminToken());
    return new LeaseEvents(connection, in, "pod-3f9a1c2e", time.clock());
  }

  private Value count() {
    return only().mapping("series").field("count").orElseThrow();
  }

  private Value.Mapping only() {
    assertThat(all()).hasSize(1);
    return all().getFirst();
  }

  private List<Value.Mapping> all() {
    return sandbox
        .cluster()
        .admin()
        .get("/apis/events.k8s.io/v1/namespaces/" + namespace + "/events")
        .ok()
        .items("items")
        .stream()
        .map(Value.Mapping.class::cast)
        .toList();
  }
}
