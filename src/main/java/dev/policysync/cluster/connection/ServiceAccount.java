package dev.policysync.cluster.connection;

import dev.policysync.cluster.error.Unreachable;
import dev.policysync.http.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import okhttp3.Interceptor;
import okhttp3.Response;

/// The identity that a pod is given: a folder with a token that is replaced about once an hour, the
/// cluster's certificate authority and the pod's namespace.
final class ServiceAccount {
  /// Where the kubelet mounts it.
  static final Path MOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private final Path folder;

  ServiceAccount(Path folder) {
    this.folder = folder;
  }

  /// Whether this process has one.
  boolean present() {
    return Files.isReadable(folder.resolve("token"));
  }

  Path certificateAuthority() {
    return folder.resolve("ca.crt");
  }

  String namespace() {
    var file = folder.resolve("namespace");
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read the pod's namespace from " + file, e);
    }
  }

  /// Signs each request with the token as it is on disk at that moment; where it is refused, it may
  /// have been replaced in between and is read and tried once more.
  Response sign(Interceptor.Chain chain) throws IOException {
    var token = token();
    var response = signed(chain, token);
    if (response.code() != 401) {
      return response;
    }
    var fresh = token();
    if (fresh.equals(token)) {
      return response;
    }
    response.close();
    return signed(chain, fresh);
  }

  private static Response signed(Interceptor.Chain chain, String token) throws IOException {
    return chain.proceed(
        chain.request().newBuilder().header("Authorization", "Bearer " + token).build());
  }

  private String token() throws IOException {
    var file = folder.resolve("token");
    try {
      return Secret.of(Files.readString(file)).reveal();
    } catch (IllegalArgumentException e) {
      throw new Unreachable.Explained(
          "the ServiceAccount's token in " + file + " " + e.getMessage(), e);
    } catch (IOException e) {
      throw new Unreachable.Explained("the ServiceAccount's token cannot be read from " + file, e);
    }
  }
}
