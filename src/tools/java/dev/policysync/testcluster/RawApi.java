package dev.policysync.testcluster;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.remote.cluster.ClusterConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.jspecify.annotations.Nullable;

/// The API as anybody else uses it: a client that knows paths and JSON and nothing of this project.
///
/// Paths begin with a slash and may have a query:
/// `/apis/kyverno.io/v1/clusterpolicies/a?fieldManager=kubectl-edit`.
public final class RawApi {
  private static final String JSON = "application/json";

  private final HttpUrl server;
  private final OkHttpClient http;

  private RawApi(HttpUrl server, OkHttpClient http) {
    this.server = server;
    this.http = http.newBuilder().readTimeout(TimeLimits.WAIT).build();
  }

  /// The API over a connection that the code under test made.
  public static RawApi over(ClusterConnection connection) {
    return new RawApi(connection.server(), connection.http());
  }

  /// Who the API server takes us for: `admin`, `system:serviceaccount:shop:agent`.
  public String user() {
    return userInfo().text("username").orElseThrow();
  }

  /// The same with uid and groups.
  public Value.Mapping userInfo() {
    var review = post("/apis/authentication.k8s.io/v1/selfsubjectreviews", Value.Mapping.EMPTY);
    return review.ok().mapping("status").mapping("userInfo");
  }

  /// An answer, whatever its status.
  public record Reply(int status, Value.Mapping body) {
    /// The body of a success.
    ///
    /// @throws AssertionError if it is none, with the API server's message
    public Value.Mapping ok() {
      if (status < 200 || status > 299) {
        throw new AssertionError(
            "HTTP " + status + ": " + body.text("message").orElse("no Status"));
      }
      return body;
    }
  }

  /// Where an object is, at that version: `/apis/kyverno.io/v1/clusterpolicies/team-label`.
  public static String path(PolicyId id, String version) {
    return collection(id, version) + "/" + id.name();
  }

  /// Where objects like that one are created.
  public static String collection(PolicyId id, String version) {
    return "/apis/"
        + id.kind().group()
        + "/"
        + version
        + id.namespace().map(namespace -> "/namespaces/" + namespace).orElse("")
        + "/"
        + id.kind().plural();
  }

  public Reply get(String path) {
    return send("GET", path, JSON, null);
  }

  /// What is no JSON: `/metrics`.
  public String text(String path) {
    var url = server.resolve(path);
    if (url == null) {
      throw new IllegalArgumentException("not a path: " + path);
    }
    var request = new Request.Builder().url(url).header("User-Agent", "test").build();
    try (var response = http.newCall(request).execute()) {
      return response.body().string();
    } catch (IOException e) {
      throw new UncheckedIOException("GET " + path + " got no answer", e);
    }
  }

  /// All kinds that are served, as one document.
  Reply discovery() {
    return send(
        "GET", "/apis", JSON + ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", null);
  }

  public Reply post(String path, Value body) {
    return send("POST", path, JSON, CanonicalJson.write(body));
  }

  public Reply put(String path, Value body) {
    return send("PUT", path, JSON, CanonicalJson.write(body));
  }

  public Reply delete(String path) {
    return send("DELETE", path, JSON, null);
  }

  /// A JSON merge patch: lists are replaced, null removes.
  public Reply merge(String path, Value patch) {
    return send("PATCH", path, "application/merge-patch+json", CanonicalJson.write(patch));
  }

  /// A JSON patch, as a text since it is a list of operations.
  public Reply jsonPatch(String path, String operations) {
    return send("PATCH", path, "application/json-patch+json", operations);
  }

  /// A server-side apply of a YAML or JSON text; the path's query names the field manager.
  public Reply apply(String path, String manifest) {
    return send("PATCH", path, "application/apply-patch+yaml", manifest);
  }

  /// @param type of the body, or without one what to accept
  private Reply send(String method, String path, String type, @Nullable String body) {
    var url = server.resolve(path);
    if (url == null) {
      throw new IllegalArgumentException("not a path: " + path);
    }
    var content = body == null ? null : RequestBody.create(body, MediaType.get(type));
    var request =
        new Request.Builder()
            .url(url)
            .header("Accept", body == null ? type : JSON)
            .header("User-Agent", "test")
            .method(method, content)
            .build();
    try (var response = http.newCall(request).execute()) {
      var contentType = response.header("Content-Type");
      var json = contentType != null && contentType.startsWith(JSON);
      var text = response.body().string();
      return new Reply(response.code(), json ? Documents.json(text) : Value.Mapping.EMPTY);
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path + " got no answer", e);
    }
  }
}
