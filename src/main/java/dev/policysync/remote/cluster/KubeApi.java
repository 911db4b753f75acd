package dev.policysync.remote.cluster;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/// Sends requests to the API server, JSON in and out. The caller evaluates each response.
/// [KubeCalls] decides about retries and time limits.
public final class KubeApi {
  public static final String METADATA =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

  public static final String METADATA_LIST =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

  /// Requests a list of metadata with the columns that `kubectl get` shows, if the server supports
  /// it.
  public static final String METADATA_TABLE =
      "application/json;as=Table;g=meta.k8s.io;v=v1," + METADATA_LIST;

  public static final String JSON = "application/json";

  public static final MediaType APPLY = MediaType.get("application/apply-patch+yaml");
  public static final MediaType JSON_PATCH = MediaType.get("application/json-patch+json");
  public static final MediaType MERGE_PATCH = MediaType.get("application/merge-patch+json");
  public static final MediaType JSON_BODY = MediaType.get("application/json");

  private final ClusterConnection connection;
  private final KubeCalls calls;

  public KubeApi(ClusterConnection connection) {
    this(connection, () -> true);
  }

  /// @param mayWrite checked directly before each write is sent, including retries
  public KubeApi(ClusterConnection connection, BooleanSupplier mayWrite) {
    this.connection = connection;
    this.calls = new KubeCalls(connection, new AdaptiveConcurrencyLimiter(), mayWrite);
  }

  interface BodyReader<T> {
    T read(InputStream body) throws IOException;
  }

  public HttpUrl.Builder url(List<String> path) {
    var url = connection.server().newBuilder();
    path.forEach(url::addPathSegment);
    return url;
  }

  public ApiResponse get(HttpUrl url, String accept) {
    return answer(request(url, accept).build());
  }

  /// Reads a body while it arrives. Any status except 200 is an exception.
  ///
  /// @param reader reads each body from its start, because the previous one may be truncated
  <T> T stream(HttpUrl url, String accept, BodyReader<T> reader) throws ErrorResponseException {
    var request = request(url, accept).build();
    var answer =
        calls.exchange(
            request,
            (response, attempts) ->
                response.code() == 200
                    ? new Streamed.Body<>(reader.read(response.body().byteStream()))
                    : new Streamed.ErrorResponse<T>(read(response, attempts)));
    return switch (answer) {
      case Streamed.Body<T>(var body) -> body;
      case Streamed.ErrorResponse<T>(var refusal) -> throw new ErrorResponseException(refusal);
    };
  }

  private sealed interface Streamed<T> {
    record Body<T>(T body) implements Streamed<T> {}

    record ErrorResponse<T>(ApiResponse apiResponse) implements Streamed<T> {}
  }

  public ApiResponse send(String method, HttpUrl url, MediaType type, String body, String accept) {
    return answer(request(url, accept).method(method, RequestBody.create(body, type)).build());
  }

  private Request.Builder request(HttpUrl url, String accept) {
    return new Request.Builder()
        .url(url)
        .header("Accept", accept)
        .header("User-Agent", connection.userAgent());
  }

  private ApiResponse answer(Request request) {
    return calls.exchange(request, KubeApi::read);
  }

  private static ApiResponse read(Response response, ApiResponse.Attempts attempts)
      throws IOException {
    var warnings =
        response.headers("Warning").stream()
            .map(KubeApi::warning)
            .filter(w -> !w.isEmpty())
            .toList();
    var type = response.header("Content-Type");
    var body =
        type != null && type.startsWith("application/json")
            ? Json.object(response.body().byteStream())
            : Value.Mapping.EMPTY;
    return new ApiResponse(
        response.code(), body, warnings, Optional.ofNullable(response.header("Date")), attempts);
  }

  /// Returns the text of `299 - "policy is deprecated"`.
  private static String warning(String header) {
    var first = header.indexOf('"');
    var last = header.lastIndexOf('"');
    return header.startsWith("299") && last > first
        ? header.substring(first + 1, last).replace("\\\"", "\"").replace("\\\\", "\\")
        : "";
  }

  public static final class ErrorResponseException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient ApiResponse apiResponse;

    ErrorResponseException(ApiResponse apiResponse) {
      super("HTTP status " + apiResponse.status());
      this.apiResponse = apiResponse;
    }

    public ApiResponse answer() {
      return apiResponse;
    }
  }
}
