package dev.policysync.cluster;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.policysync.sync.ClusterUnavailable;
import dev.policysync.yaml.Json;
import dev.policysync.yaml.Value;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import okhttp3.HttpUrl;

/// Reads lists page by page, object by object while they arrive. A body that is no complete list is
/// an error, never a short list.
final class PagedLists {
  private static final int PAGE = 500;

  /// The token of a page is void once the server has compacted what it stands for.
  private static final int EXPIRED = 410;

  private final KubeApi api;

  PagedLists(KubeApi api) {
    this.api = api;
  }

  /// Takes one object of a page.
  interface Each<P> {
    /// Takes it.
    ///
    /// @param parser at the item's first token; afterwards at its last
    void read(P page, JsonParser parser) throws IOException;
  }

  /// Reads all pages of one state. From the first page again where a later one has expired, once:
  /// pages of two states are no list, and a server that cannot keep a state for as long as a list
  /// takes will not keep the next one.
  ///
  /// @param page makes something to read a page into, also where a page that broke off is read anew
  /// @return what the pages were read into that make up the list
  /// @throws ClusterUnavailable if no answer could be had
  <P> List<P> read(HttpUrl url, String accept, Supplier<P> page, Each<P> each)
      throws KubeApi.Refused {
    try {
      return allPages(url, accept, page, each);
    } catch (KubeApi.Refused e) {
      if (e.answer().status() != EXPIRED) {
        throw e;
      }
      return allPages(url, accept, page, each);
    }
  }

  private <P> List<P> allPages(HttpUrl list, String accept, Supplier<P> page, Each<P> each)
      throws KubeApi.Refused {
    var pages = new ArrayList<P>();
    var next = "";
    do {
      var url = list.newBuilder().addQueryParameter("limit", Integer.toString(PAGE));
      if (!next.isEmpty()) {
        url.addQueryParameter("continue", next);
      }
      var read = api.stream(url.build(), accept, body -> page(page.get(), each, body));
      pages.add(read.content());
      next = read.next();
    } while (!next.isEmpty());
    return pages;
  }

  /// Part of a list.
  ///
  /// @param next the token of the page after it, empty on the last one
  private record Page<P>(P content, String next) {}

  private static <P> Page<P> page(P content, Each<P> each, InputStream body) throws IOException {
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
              each.read(content, parser);
            }
          }
          default -> parser.skipChildren();
        }
      }
    }
    if (!items) {
      throw new Unreachable.Explained("the list has no items field");
    }
    return new Page<>(content, next);
  }
}
