package dev.policysync.report;

import dev.policysync.openapi.OpenApi;
import java.util.List;

/// The form of the upload's body, as docs/api/openapi.yaml has it.
final class UploadSchema {
  private UploadSchema() {}

  /// What is wrong with a body.
  static List<String> problems(String body) {
    return OpenApi.read().problems("Report", body);
  }
}
