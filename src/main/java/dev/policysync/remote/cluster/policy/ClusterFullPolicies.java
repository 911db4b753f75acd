package dev.policysync.remote.cluster.policy;

import dev.policysync.base.Json;
import dev.policysync.inspect.FullPolicies;
import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.ApiErrorClassifier;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.Discovery;
import dev.policysync.remote.cluster.KubeApi;
import dev.policysync.remote.cluster.PagedLists;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/// Reads the complete policies of a real cluster, one kind after the other: no caller needs them
/// quickly, and whole objects need much memory.
public final class ClusterFullPolicies implements FullPolicies {
  private static final int PAGE = 100;

  private final KubeApi api;

  public ClusterFullPolicies(ClusterConnection connection) {
    this.api = new KubeApi(connection);
  }

  @Override
  public <T> Reading<T> read(Predicate<PolicyKind> kinds, Function<WholePolicy, T> each) {
    var all = new ArrayList<T>();
    var failures = new ArrayList<Failure>();
    try {
      var served = new Discovery(api).discover();
      for (var kind : PolicyKind.all().stream().filter(kinds).toList()) {
        switch (served.get(kind)) {
          case Discovery.Found.Served(var version) -> read(kind, version, each, all, failures);
          case Discovery.Found.Uncertain(var failure) -> failures.add(failure);
          case Discovery.Found.Missing _ -> {}
        }
      }
    } catch (ClusterUnavailable e) {
      failures.add(e.failure());
    }
    return failures.isEmpty() ? new Reading.Complete<>(all) : new Reading.Incomplete<>(failures);
  }

  private <T> void read(
      PolicyKind kind,
      String version,
      Function<WholePolicy, T> each,
      List<T> all,
      List<Failure> failures) {
    try {
      var url = api.url(List.of("apis", kind.group(), version, kind.plural())).build();
      new PagedLists(api, KubeApi.JSON, PAGE)
          .<List<T>>read(
              url,
              ArrayList::new,
              (page, parser) -> {
                var object = PagedLists.object(Json.next(parser));
                page.add(each.apply(new WholePolicy(LiveObject.of(kind, object), version, object)));
              })
          .forEach(all::addAll);
    } catch (KubeApi.ErrorResponseException e) {
      failures.add(ApiErrorClassifier.classify("list " + kind.qualified(), e.answer()));
    } catch (ClusterUnavailable e) {
      failures.add(e.failure());
    }
  }
}
