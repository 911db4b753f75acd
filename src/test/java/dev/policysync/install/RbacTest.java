package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.PolicyKind;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The plain manifests allow what the table of kinds needs. That it is needed, each of it, is shown
/// by [LeastPrivilegeIT].
class RbacTest {
  private final Manifests rbac = Manifests.rbac();

  @Test
  void allowsEachVerbOnEachKindOfTheTableAndToReadWhatKyvernoSays() {
    var policies =
        PolicyKind.all().stream()
            .flatMap(kind -> Permission.VERBS.stream().map(verb -> Permission.of(verb, kind)));

    assertThat(Permission.in(rbac.only("ClusterRole")))
        .containsExactlyInAnyOrder(
            Stream.of(policies, Permission.ofReports(), Permission.ofKyverno())
                .flatMap(Function.identity())
                .toArray(Permission[]::new));
  }

  @Test
  void allowsOnlyTheOneLeaseAndEventsInItsOwnNamespace() {
    var lease = Stream.of("create", "get", "update").map(Permission::ofLease);
    var events = Stream.of("create", "get", "patch").map(Permission::ofEvents);

    assertThat(Permission.in(rbac.only("Role")))
        .containsExactlyInAnyOrder(Stream.concat(lease, events).toArray(Permission[]::new));
  }
}
