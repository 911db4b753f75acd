package dev.policysync.cluster;

import dev.policysync.export.WholePolicies;
import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.ClusterUnavailable;
import dev.policysync.yaml.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The policies of a real cluster with all they say, a kind after the other: nobody waits for it,
/// and whole objects are heavy.
public final class ClusterBackup implements WholePolicies {
  private static final int PAGE = 100;

  private final KubeApi api;

  /// The policies that are reached over that connection.
  public ClusterBackup(ClusterConnection connection) {
    this.api = new KubeApi(connection);
  }

  @Override
  public <T> Reading<T> read(Function<WholePolicy, T> each) {
    var all = new ArrayList<T>();
    var failures = new ArrayList<Failure>();
    try {
      new Discovery(api)
          .ask()
          .forEach((kind, found) -> {
            switch (found) {
              case Discovery.Found.Served(var version) -> read(kind, version, each, all, failures);
              case Discovery.Found.Uncertain(var failure) -> failures.add(failure);
              case Discovery.Found.Missing _ -> {}
            }
          });
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
      var lists = new PagedLists(api, KubeApi.JSON, PAGE);
      all.addAll(
          lists.all(
              kind,
              version,
              parser -> {
                var object = PagedLists.object(Json.next(parser));
                return each.apply(new WholePolicy(LiveObject.of(kind, object), version, object));
              }));
    } catch (KubeApi.Refused e) {
      failures.add(Refusal.of("list " + kind.qualified(), e.answer()));
    } catch (ClusterUnavailable e) {
      failures.add(e.failure());
    }
  }
}
