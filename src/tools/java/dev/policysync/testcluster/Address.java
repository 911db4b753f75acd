package dev.policysync.testcluster;

import java.nio.file.Path;
import okhttp3.HttpUrl;

/// Where an API server that runs is found, whoever has started it.
///
/// @param url `https://127.0.0.1:40123/`
/// @param folder of its certificate and its logs
public record Address(HttpUrl url, Path folder) {
  Path certificateAuthority() {
    return folder.resolve("certs/apiserver.crt");
  }

  Path auditLog() {
    return folder.resolve("audit.log");
  }
}
