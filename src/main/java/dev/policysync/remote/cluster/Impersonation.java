package dev.policysync.remote.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.Headers;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// Adds the headers of the impersonated user to each request
/// (<https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation>).
///
/// A kubeconfig sets that user with `as`, `as-groups` and `as-uid`. It is never ignored: with
/// impersonation, the user expects fewer permissions than those of the authenticated user.
final class Impersonation implements Interceptor {
  private final Headers headers;

  private Impersonation(Headers headers) {
    this.headers = headers;
  }

  /// Impersonates a user; the API server derives a ServiceAccount's groups from its name.
  static Impersonation of(String user) {
    return new Impersonation(Headers.of("Impersonate-User", user));
  }

  /// Impersonates the user in a kubeconfig's user section; nobody if there is none.
  ///
  /// @throws IllegalArgumentException if the section cannot be sent as headers
  static Impersonation of(Map<?, ?> user) {
    if (user.containsKey("as-user-extra")) {
      throw new IllegalArgumentException(
          "its user has as-user-extra, which policy-sync does not support; remove it, or choose"
              + " another user");
    }
    var headers = new Headers.Builder();
    try {
      text(user.get("as")).ifPresent(name -> headers.add("Impersonate-User", name));
      text(user.get("as-uid")).ifPresent(uid -> headers.add("Impersonate-Uid", uid));
      groups(user).forEach(group -> headers.add("Impersonate-Group", group));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "it names a user, uid or group to impersonate that is not printable ASCII", e);
    }
    return new Impersonation(headers.build());
  }

  private static List<String> groups(Map<?, ?> user) {
    var groups = new ArrayList<String>();
    if (user.get("as-groups") instanceof List<?> named) {
      named.forEach(group -> text(group).ifPresent(groups::add));
    }
    return groups;
  }

  private static Optional<String> text(@Nullable Object value) {
    return value instanceof String text && !text.isEmpty() ? Optional.of(text) : Optional.empty();
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    var request = chain.request().newBuilder();
    for (var at = 0; at < headers.size(); at++) {
      request.addHeader(headers.name(at), headers.value(at));
    }
    return chain.proceed(request.build());
  }
}
