package dev.policysync.survival;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.testcluster.AuditLog;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The judge itself: it would notice.
class LeaseHoldingsTest {
  private final List<AuditLog.Event> log = new ArrayList<>();

  @Test
  void findsNothingWrongWithOneWriterAfterTheOther() {
    lease("a", "a-1", 200);
    policy("a");
    lease("a", "", 200);
    lease("b", "b-1", 200);
    policy("b");

    var leaseHoldings = LeaseHoldings.in(log);

    assertThat(leaseHoldings.wrongWrites()).isEmpty();
    assertThat(leaseHoldings.takeOvers()).isEmpty();
    assertThat(leaseHoldings.writers()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void findsAWriteWithoutTheLease() {
    lease("a", "a-1", 200);
    lease("b", "b-1", 409);
    policy("b");

    assertThat(LeaseHoldings.in(log).wrongWrites())
        .containsExactly("b wrote x while the holder was 'a-1'");
  }

  @Test
  void findsAWriteAfterTheLeaseWasGivenBack() {
    lease("a", "a-1", 200);
    lease("a", "", 200);
    policy("a");

    assertThat(LeaseHoldings.in(log).wrongWrites())
        .containsExactly("a wrote x while the holder was ''");
  }

  @Test
  void findsAWriteAfterATakeOver() {
    lease("a", "a-1", 200);
    lease("b", "b-1", 200);
    policy("a");

    assertThat(LeaseHoldings.in(log).takeOvers()).containsExactly("a-1 -> b-1");
    assertThat(LeaseHoldings.in(log).wrongWrites()).hasSize(1);
  }

  private void lease(String account, String holder, int status) {
    add(
        account,
        "update",
        "leases.coordination.k8s.io",
        "kyverno-policy-sync-lock",
        status,
        Optional.of(holder));
  }

  private void policy(String account) {
    add(account, "patch", "clusterpolicies.kyverno.io", "x", 200, Optional.empty());
  }

  private void add(
      String account,
      String verb,
      String resource,
      String name,
      int status,
      Optional<String> holder) {
    var user = "system:serviceaccount:accounts-1:" + account;
    var entry = new AuditLog.Entry(user, verb, resource, "", name, false, "policy-sync/1", status);
    log.add(new AuditLog.Event(entry, Instant.EPOCH.plusSeconds(log.size()), holder));
  }
}
