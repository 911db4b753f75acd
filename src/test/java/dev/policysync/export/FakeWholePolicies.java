package dev.policysync.export;

import dev.policysync.ownership.FieldOwnership;
import dev.policysync.plan.Failure;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.Version;
import dev.policysync.policy.PolicyId;
import dev.policysync.yaml.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// A cluster's policies, by hand.
public final class FakeWholePolicies implements WholePolicies {
  private final List<WholePolicy> policies = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();

  /// One that is neither generated nor being deleted.
  public FakeWholePolicies with(
      PolicyId id, Map<String, String> annotations, Value.Mapping object) {
    return with(id, annotations, object, false, false);
  }

  /// One with whatever fate.
  public FakeWholePolicies with(
      PolicyId id,
      Map<String, String> annotations,
      Value.Mapping object,
      boolean controlled,
      boolean terminating) {
    var live =
        new LivePolicy(
            id,
            new Version("uid", "1"),
            1,
            controlled,
            terminating,
            annotations,
            new FieldOwnership(List.of()));
    policies.add(new WholePolicy(live, "v1", object));
    return this;
  }

  /// From now on something cannot be read.
  public FakeWholePolicies failing(String reason) {
    failures.add(new Failure(Failure.Cause.FORBIDDEN, reason));
    return this;
  }

  @Override
  public <T> Reading<T> read(Function<WholePolicy, T> each) {
    List<T> read = policies.stream().map(each).toList();
    return failures.isEmpty() ? new Reading.Complete<>(read) : new Reading.Incomplete<>(failures);
  }
}
