package dev.policysync.cluster;

import com.fasterxml.jackson.core.JsonToken;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.ClusterUnavailable;
import dev.policysync.yaml.Json;
import dev.policysync.yaml.Value;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Lists all objects of a kind by their metadata, page by page; an object is judged and forgotten
/// before the next one is read.
final class MetadataLists {
  private static final int PAGE = 500;

  /// The token of a page is void once the server has compacted what it stands for.
  private static final int EXPIRED = 410;

  private final KubeApi api;
  private final Map<String, String> texts = new ConcurrentHashMap<>();

  MetadataLists(KubeApi api) {
    this.api = api;
  }

  Listing list(PolicyKind kind, String version) {
    try {
      return new Listing.Listed(version, allPagesOfOneState(kind, version));
    } catch (KubeApi.Refused e) {
      return new Listing.Unlistable(Refusal.of("list " + kind.qualified(), e.answer()));
    } catch (ClusterUnavailable e) {
      return new Listing.Unlistable(e.failure());
    }
  }

  /// From the first page again where a later one has expired, once: pages of two states are no
  /// list, and a server that cannot keep a state for as long as a list takes will not keep the next
  /// one.
  private List<LivePolicy> allPagesOfOneState(PolicyKind kind, String version)
      throws KubeApi.Refused {
    try {
      return allPages(kind, version);
    } catch (KubeApi.Refused e) {
      if (e.answer().status() != EXPIRED) {
        throw e;
      }
      return allPages(kind, version);
    }
  }

  private List<LivePolicy> allPages(PolicyKind kind, String version) throws KubeApi.Refused {
    var policies = new ArrayList<LivePolicy>();
    var next = "";
    do {
      var url =
          api.url(List.of("apis", kind.group(), version, kind.plural()))
              .addQueryParameter("limit", Integer.toString(PAGE));
      if (!next.isEmpty()) {
        url.addQueryParameter("continue", next);
      }
      var page = api.stream(url.build(), KubeApi.METADATA_LIST, body -> page(kind, body));
      policies.addAll(page.policies());
      next = page.next();
    } while (!next.isEmpty());
    return policies;
  }

  /// Part of a list.
  ///
  /// @param next the token of the page after it, empty on the last one
  private record Page(List<LivePolicy> policies, String next) {}

  /// Reads one page. A body that is no complete list is an error, never a short list.
  private Page page(PolicyKind kind, InputStream body) throws IOException {
    var policies = new ArrayList<LivePolicy>();
    var next = "";
    var items = false;
    try (var parser = Json.parser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new Unreachable.Explained("the list is no JSON object");
      }
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        var field = parser.currentName();
        var token = parser.nextToken();
        if (field == null || token == null) {
          throw new Unreachable.Explained("the list ended in the middle");
        }
        switch (field) {
          case "metadata" -> {
            if (Json.next(parser) instanceof Value.Mapping metadata) {
              next = metadata.text("continue").orElse("");
            }
          }
          case "items" -> {
            items = true;
            // An API server may write a list without items as null.
            if (token != JsonToken.START_ARRAY && token != JsonToken.VALUE_NULL) {
              throw new Unreachable.Explained("the list's items are no list");
            }
            while (token == JsonToken.START_ARRAY && parser.nextToken() != JsonToken.END_ARRAY) {
              if (!(Json.next(parser, FieldsV1.FIELDS) instanceof Value.Mapping object)) {
                throw new Unreachable.Explained("an item of the list is no object");
              }
              policies.add(LiveObject.listed(kind, object, this::shared));
            }
          }
          default -> parser.skipChildren();
        }
      }
    }
    if (!items) {
      throw new Unreachable.Explained("the list has no items field");
    }
    return new Page(policies, next);
  }

  private String shared(String text) {
    var first = texts.putIfAbsent(text, text);
    return first == null ? text : first;
  }
}
