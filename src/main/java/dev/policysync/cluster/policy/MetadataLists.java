package dev.policysync.cluster.policy;

import com.fasterxml.jackson.core.JsonParser;
import dev.policysync.cluster.error.ApiErrorClassifier;
import dev.policysync.cluster.request.KubeApi;
import dev.policysync.cluster.request.PagedLists;
import dev.policysync.json.Json;
import dev.policysync.plan.live.Listing;
import dev.policysync.plan.live.LivePolicy;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Lists all objects of a kind by their metadata; an object is judged and forgotten before the next
/// one is read.
final class MetadataLists {
  private static final int PAGE = 500;

  private final KubeApi api;
  private final PagedLists lists;
  private final Map<String, String> texts = new ConcurrentHashMap<>();

  MetadataLists(KubeApi api) {
    this.api = api;
    this.lists = new PagedLists(api, KubeApi.METADATA_LIST, PAGE);
  }

  Listing list(PolicyKind kind, String version) {
    try {
      var url = api.url(List.of("apis", kind.group(), version, kind.plural())).build();
      var pages =
          lists.<List<LivePolicy>>read(
              url, ArrayList::new, (page, parser) -> page.add(policy(kind, parser)));
      return new Listing.Listed(version, pages.stream().flatMap(List::stream).toList());
    } catch (KubeApi.ErrorResponseException e) {
      return new Listing.Unlistable(ApiErrorClassifier.of("list " + kind.qualified(), e.answer()));
    } catch (ClusterUnavailable e) {
      return new Listing.Unlistable(e.failure());
    }
  }

  private LivePolicy policy(PolicyKind kind, JsonParser parser) throws IOException {
    var object = PagedLists.object(Json.next(parser, FieldsV1.FIELDS));
    return LiveObject.listed(kind, object, this::shared);
  }

  private String shared(String text) {
    var first = texts.putIfAbsent(text, text);
    return first == null ? text : first;
  }
}
