package dev.policysync.remote.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The ServiceAccount of a Pod: a directory with a token that is replaced about once an hour, the
/// cluster's certificate authority and the Pod's namespace.
final class ServiceAccount {
  static final Path MOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private final Path folder;

  ServiceAccount(Path folder) {
    this.folder = folder;
  }

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

  TokenFile token() {
    return new TokenFile(folder.resolve("token"), "the ServiceAccount's token");
  }
}
