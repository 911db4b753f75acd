package dev.policysync.remote.cluster;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import okhttp3.HttpUrl;

/// Reads lists page by page and object by object, while they arrive. A response that is not a
/// complete list is an error, never a shorter list.
public final class PagedLists {
  /// The status of a page whose continue token has expired, because etcd has compacted the list's
  /// state.
  private static final int EXPIRED = 410;

  private final KubeApi api;
  private final String accept;
  private final int objectsOfAPage;

  /// @param accept the media type in which the objects are requested
  public PagedLists(KubeApi api, String accept, int objectsOfAPage) {
    this.api = api;
    this.accept = accept;
    this.objectsOfAPage = objectsOfAPage;
  }

  public interface ItemReader<P> {
    /// Reads one item of a page.
    ///
    /// @param parser at the item's first token; at its last token afterwards
    void read(P page, JsonParser parser) throws IOException;

    /// Receives a table's column definitions, before its rows; a list that is not a table has no
    /// definitions.
    default void columns(P page, Value definitions) {}
  }

  /// Reads all pages of one state. If a page has expired, the list is read again from the first
  /// page, once: pages of different states do not make a list, and a server that cannot keep a
  /// state for one list will not keep it for the next.
  ///
  /// @param page creates the content of a page; called again if a truncated page is read again
  /// @return the contents of the pages of the list
  /// @throws ClusterUnavailable if there is no response
  public <P> List<P> read(HttpUrl url, Supplier<P> page, ItemReader<P> each)
      throws KubeApi.ErrorResponseException {
    try {
      return allPages(url, page, each);
    } catch (KubeApi.ErrorResponseException e) {
      if (e.answer().status() != EXPIRED) {
        throw e;
      }
      return allPages(url, page, each);
    }
  }

  private <P> List<P> allPages(HttpUrl list, Supplier<P> page, ItemReader<P> each)
      throws KubeApi.ErrorResponseException {
    var pages = new ArrayList<P>();
    var next = "";
    do {
      var url = list.newBuilder().addQueryParameter("limit", Integer.toString(objectsOfAPage));
      if (!next.isEmpty()) {
        url.addQueryParameter("continue", next);
      }
      var read = api.stream(url.build(), accept, body -> page(page.get(), each, body));
      pages.add(read.content());
      next = read.next();
    } while (!next.isEmpty());
    return pages;
  }

  /// @param next the continue token of the next page, empty on the last page
  private record Page<P>(P content, String next) {}

  public static Value.Mapping object(Value item) throws IOException {
    if (item instanceof Value.Mapping object) {
      return object;
    }
    throw new Unreachable.Explained("a list item is not an object");
  }

  private static <P> Page<P> page(P content, ItemReader<P> each, InputStream body)
      throws IOException {
    var next = "";
    var items = false;
    try (var parser = Json.parser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new Unreachable.Explained("the list is not a JSON object");
      }
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        var field = parser.currentName();
        var token = parser.nextToken();
        if (field == null || token == null) {
          throw new Unreachable.Explained("the list is truncated");
        }
        switch (field) {
          case "metadata" -> {
            if (Json.next(parser) instanceof Value.Mapping metadata) {
              next = metadata.text("continue").orElse("");
            }
          }
          case "columnDefinitions" -> each.columns(content, Json.next(parser));
          // A list that is requested as a table has rows.
          case "items", "rows" -> {
            items = true;
            // An API server may write an empty list as null.
            if (token != JsonToken.START_ARRAY && token != JsonToken.VALUE_NULL) {
              throw new Unreachable.Explained("the field " + field + " is not a list");
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
