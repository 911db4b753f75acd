package dev.policysync.inspect;

import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.ObjectVersion;
import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/// A cluster's policies, by hand.
public final class FakeFullPolicies implements FullPolicies {
  private final List<WholePolicy> policies = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();

  /// One that is neither generated nor being deleted.
  public FakeFullPolicies with(PolicyId id, Map<String, String> annotations, Value.Mapping object) {
    return with(id, annotations, object, false, false);
  }

  /// One with whatever fate.
  public FakeFullPolicies with(
      PolicyId id,
      Map<String, String> annotations,
      Value.Mapping object,
      boolean controlled,
      boolean terminating) {
    var live =
        new LivePolicy(
            id,
            new ObjectVersion("uid", "1"),
            1,
            controlled,
            terminating,
            annotations,
            new FieldOwnership(List.of()));
    policies.add(new WholePolicy(live, "v1", object));
    return this;
  }

  /// From now on something cannot be read.
  public FakeFullPolicies failing(String reason) {
    failures.add(new Failure(Failure.Cause.FORBIDDEN, reason));
    return this;
  }

  @Override
  public <T> Reading<T> read(Predicate<PolicyKind> kinds, Function<WholePolicy, T> each) {
    List<T> read =
        policies.stream()
            .filter(policy -> kinds.test(policy.live().id().kind()))
            .map(each)
            .toList();
    return failures.isEmpty() ? new Reading.Complete<>(read) : new Reading.Incomplete<>(failures);
  }
}
