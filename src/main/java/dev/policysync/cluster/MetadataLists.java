package dev.policysync.cluster;

import com.fasterxml.jackson.core.JsonParser;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.ClusterUnavailable;
import dev.policysync.yaml.Json;
import dev.policysync.yaml.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Lists all objects of a kind by their metadata; an object is judged and forgotten before the next
/// one is read.
final class MetadataLists {
  private final KubeApi api;
  private final Map<String, String> texts = new ConcurrentHashMap<>();

  MetadataLists(KubeApi api) {
    this.api = api;
  }

  Listing list(PolicyKind kind, String version) {
    try {
      var url = api.url(List.of("apis", kind.group(), version, kind.plural())).build();
      var pages =
          new PagedLists(api)
              .<List<LivePolicy>>read(
                  url,
                  KubeApi.METADATA_LIST,
                  ArrayList::new,
                  (page, parser) -> add(kind, page, parser));
      return new Listing.Listed(version, pages.stream().flatMap(List::stream).toList());
    } catch (KubeApi.Refused e) {
      return new Listing.Unlistable(Refusal.of("list " + kind.qualified(), e.answer()));
    } catch (ClusterUnavailable e) {
      return new Listing.Unlistable(e.failure());
    }
  }

  private void add(PolicyKind kind, List<LivePolicy> page, JsonParser parser) throws IOException {
    if (!(Json.next(parser, FieldsV1.FIELDS) instanceof Value.Mapping object)) {
      throw new Unreachable.Explained("an item of the list is no object");
    }
    page.add(LiveObject.listed(kind, object, this::shared));
  }

  private String shared(String text) {
    var first = texts.putIfAbsent(text, text);
    return first == null ? text : first;
  }
}
