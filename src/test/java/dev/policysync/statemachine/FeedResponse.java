package dev.policysync.statemachine;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import java.util.Optional;

/// How the remote API answers when it is asked for the feed.
enum FeedResponse {
  THE_FEED,
  AN_EMPTY_BODY,
  A_WEB_PAGE,
  A_WEB_PAGE_AS_YAML,
  A_JSON_ERROR,
  NO_CONTENT,
  UNAUTHORIZED,
  SERVER_ERROR,
  CUT_OFF,
  SHORTER_THAN_ANNOUNCED,
  WITHOUT_AN_END,
  NOTHING_AT_ALL,
  GARBAGE,
  HANGS_UP;

  /// Whether it is a feed; if not, nothing may be written (promise 3).
  boolean isFeed() {
    return this == THE_FEED || this == AN_EMPTY_BODY;
  }

  /// Whether it is only a part of the feed, or may be.
  boolean breaksOff() {
    return this == CUT_OFF || this == SHORTER_THAN_ANNOUNCED || this == WITHOUT_AN_END;
  }

  /// What that answer says is expected; an empty body is what the API sends for no policies.
  ModelFeed says(ModelFeed modelFeed) {
    return this == THE_FEED ? modelFeed : ModelFeed.EMPTY;
  }

  ResponseDefinitionBuilder with(ModelFeed modelFeed) {
    var text = modelFeed.text();
    return switch (this) {
      case THE_FEED -> yaml(text);
      case AN_EMPTY_BODY -> yaml("");
      case A_WEB_PAGE ->
          aResponse()
              .withStatus(200)
              .withHeader("Content-Type", "text/html")
              .withBody("<html><body>Sign in</body></html>");
      case A_WEB_PAGE_AS_YAML -> yaml("<!DOCTYPE html>\n<html><body>Sign in</body></html>\n");
      case A_JSON_ERROR -> yaml("{\"message\": \"not found\"}");
      case NO_CONTENT -> aResponse().withStatus(204);
      case UNAUTHORIZED -> aResponse().withStatus(401);
      case SERVER_ERROR -> aResponse().withStatus(500).withBody(text);
      case CUT_OFF, SHORTER_THAN_ANNOUNCED, WITHOUT_AN_END -> yaml("");
      case NOTHING_AT_ALL -> aResponse().withFault(Fault.EMPTY_RESPONSE);
      case GARBAGE -> aResponse().withFault(Fault.MALFORMED_RESPONSE_CHUNK);
      case HANGS_UP -> aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER);
    };
  }

  private static ResponseDefinitionBuilder yaml(String text) {
    return aResponse().withStatus(200).withHeader("Content-Type", "text/yaml").withBody(text);
  }

  /// What no proper server sends, byte by byte.
  Optional<String> raw(ModelFeed modelFeed) {
    var text = modelFeed.text();
    return switch (this) {
      case CUT_OFF -> Optional.of(announced(text.length(), text.substring(0, text.length() / 2)));
      case SHORTER_THAN_ANNOUNCED -> Optional.of(announced(text.length() + 1, text));
      case WITHOUT_AN_END -> Optional.of("HTTP/1.1 200 OK\r\n\r\n" + text);
      case THE_FEED,
          AN_EMPTY_BODY,
          A_WEB_PAGE,
          A_WEB_PAGE_AS_YAML,
          A_JSON_ERROR,
          NO_CONTENT,
          UNAUTHORIZED,
          SERVER_ERROR,
          NOTHING_AT_ALL,
          GARBAGE,
          HANGS_UP ->
          Optional.empty();
    };
  }

  private static String announced(int length, String text) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n" + text;
  }
}
