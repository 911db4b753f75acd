package dev.policysync.report;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The form of the upload's body, as far as it is known.
final class UploadSchema {
  private static final Path FILE =
      Path.of("src", "test", "resources", "report", "upload.schema.json");

  private UploadSchema() {}

  /// What is wrong with a body.
  static List<String> problems(String body) {
    try {
      var schema =
          JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(Files.readString(FILE));
      return schema.validate(body, InputFormat.JSON).stream()
          .map(ValidationMessage::getMessage)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
