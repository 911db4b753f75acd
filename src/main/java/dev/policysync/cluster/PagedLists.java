package dev.policysync.cluster;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.policysync.policy.PolicyKind;
import dev.policysync.yaml.Json;
import dev.policysync.yaml.Value;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/// Lists all objects of a kind, page by page; an object is made something of and forgotten before
/// the next one is read.
final class PagedLists {
  /// The token of a page is void once the server has compacted what it stands for.
  private static final int EXPIRED = 410;

  private final KubeApi api;
  private final String accept;
  private final int objectsOfAPage;

  /// @param accept in which form the objects are asked for
  PagedLists(KubeApi api, String accept, int objectsOfAPage) {
    this.api = api;
    this.accept = accept;
    this.objectsOfAPage = objectsOfAPage;
  }

  /// Makes something of the object that begins at the parser's present token.
  interface ItemReader<T> {
    T read(JsonParser parser) throws IOException;
  }

  /// What was made of each object of that kind, all of them of one state of the cluster.
  ///
  /// From the first page again where a later one has expired, once: pages of two states are no
  /// list, and a server that cannot keep a state for as long as a list takes will not keep the next
  /// one.
  <T> List<T> all(PolicyKind kind, String version, ItemReader<T> reader) throws KubeApi.Refused {
    try {
      return allPages(kind, version, reader);
    } catch (KubeApi.Refused e) {
      if (e.answer().status() != EXPIRED) {
        throw e;
      }
      return allPages(kind, version, reader);
    }
  }

  private <T> List<T> allPages(PolicyKind kind, String version, ItemReader<T> reader)
      throws KubeApi.Refused {
    var all = new ArrayList<T>();
    var next = "";
    do {
      var url =
          api.url(List.of("apis", kind.group(), version, kind.plural()))
              .addQueryParameter("limit", Integer.toString(objectsOfAPage));
      if (!next.isEmpty()) {
        url.addQueryParameter("continue", next);
      }
      var page = api.stream(url.build(), accept, body -> page(body, reader));
      all.addAll(page.items());
      next = page.next();
    } while (!next.isEmpty());
    return all;
  }

  /// Part of a list.
  ///
  /// @param next the token of the page after it, empty on the last one
  private record Page<T>(List<T> items, String next) {}

  /// Reads one page. A body that is no complete list is an error, never a short list.
  private static <T> Page<T> page(InputStream body, ItemReader<T> reader) throws IOException {
    var all = new ArrayList<T>();
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
              all.add(reader.read(parser));
            }
          }
          default -> parser.skipChildren();
        }
      }
    }
    if (!items) {
      throw new Unreachable.Explained("the list has no items field");
    }
    return new Page<>(all, next);
  }

  /// The object that a list has for an item.
  static Value.Mapping object(Value item) throws IOException {
    if (item instanceof Value.Mapping object) {
      return object;
    }
    throw new Unreachable.Explained("an item of the list is no object");
  }
}
