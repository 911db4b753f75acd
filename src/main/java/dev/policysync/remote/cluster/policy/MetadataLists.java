package dev.policysync.remote.cluster.policy;

import com.fasterxml.jackson.core.JsonParser;
import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.LiveStatus.Readiness;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.ApiErrorClassifier;
import dev.policysync.remote.cluster.KubeApi;
import dev.policysync.remote.cluster.PagedLists;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Lists all objects of a kind by their metadata. Each object is evaluated and dropped before the
/// next one is read. If Kyverno reports whether it executes policies of the kind, the list is
/// requested as a table, which has that column in addition to the metadata.
final class MetadataLists {
  private static final int PAGE = 500;
  private static final Value NO_OBJECT = new Value.Text("");

  private final KubeApi api;
  private final Map<String, String> texts = new ConcurrentHashMap<>();

  MetadataLists(KubeApi api) {
    this.api = api;
  }

  Listing list(PolicyKind kind, String version) {
    try {
      var accept = kind.type().reportsReadiness() ? KubeApi.METADATA_TABLE : KubeApi.METADATA_LIST;
      var url = api.url(List.of("apis", kind.group(), version, kind.plural())).build();
      var pages =
          new PagedLists(api, accept, PAGE).read(url, PolicyPage::new, new PolicyRows(kind));
      return new Listing.Listed(
          version, pages.stream().flatMap(page -> page.policies.stream()).toList());
    } catch (KubeApi.ErrorResponseException e) {
      return new Listing.Unlistable(
          ApiErrorClassifier.classify("list " + kind.qualified(), e.answer()));
    } catch (ClusterUnavailable e) {
      return new Listing.Unlistable(e.failure());
    }
  }

  private static final class PolicyPage {
    private final List<LivePolicy> policies = new ArrayList<>();
    private TableColumns columns = TableColumns.NONE;
  }

  private final class PolicyRows implements PagedLists.ItemReader<PolicyPage> {
    private final PolicyKind kind;

    PolicyRows(PolicyKind kind) {
      this.kind = kind;
    }

    @Override
    public void columns(PolicyPage page, Value definitions) {
      page.columns = TableColumns.of(definitions);
    }

    @Override
    public void read(PolicyPage page, JsonParser parser) throws IOException {
      var item = PagedLists.object(Json.next(parser, FieldsV1.FIELDS));
      var row = item.field("cells").isPresent();
      var object = row ? PagedLists.object(item.field("object").orElse(NO_OBJECT)) : item;
      var readiness = row ? page.columns.readiness(item.items("cells")) : Readiness.UNKNOWN;
      page.policies.add(LiveObject.listed(kind, object, readiness, MetadataLists.this::shared));
    }
  }

  private String shared(String text) {
    var first = texts.putIfAbsent(text, text);
    return first == null ? text : first;
  }
}
