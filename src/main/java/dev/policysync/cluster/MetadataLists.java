package dev.policysync.cluster;

import dev.policysync.plan.Listing;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.ClusterUnavailable;
import dev.policysync.yaml.Json;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Lists all objects of a kind by their metadata, of which only what is judged by is kept.
final class MetadataLists {
  private static final int PAGE = 500;

  private final PagedLists lists;
  private final Map<String, String> texts = new ConcurrentHashMap<>();

  MetadataLists(KubeApi api) {
    this.lists = new PagedLists(api, KubeApi.METADATA_LIST, PAGE);
  }

  Listing list(PolicyKind kind, String version) {
    try {
      var policies =
          lists.all(
              kind,
              version,
              parser ->
                  LiveObject.listed(
                      kind, PagedLists.object(Json.next(parser, FieldsV1.FIELDS)), this::shared));
      return new Listing.Listed(version, policies);
    } catch (KubeApi.Refused e) {
      return new Listing.Unlistable(Refusal.of("list " + kind.qualified(), e.answer()));
    } catch (ClusterUnavailable e) {
      return new Listing.Unlistable(e.failure());
    }
  }

  private String shared(String text) {
    var first = texts.putIfAbsent(text, text);
    return first == null ? text : first;
  }
}
