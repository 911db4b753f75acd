package dev.policysync.cli.check;

import com.fasterxml.jackson.core.JsonFactory;
import dev.policysync.check.CheckResult;
import dev.policysync.check.CheckStatus;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/// The answers of a check for programs, in one object; `fix` is empty where there is nothing to do:
///
/// ```json
/// {"success":false,"stopped":null,"answers":[
///   {"subject":"API","verdict":"failure","found":"GET …: answered 401 …","fix":"check …"}]}
/// ```
final class CheckJson {
  private static final JsonFactory JSON = new JsonFactory();

  private CheckJson() {}

  static String write(List<CheckResult> answers, String stopped) {
    var text = new StringWriter();
    try (var json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeBooleanField(
          "success",
          stopped.isEmpty()
              && answers.stream()
                  .noneMatch(checkResult -> checkResult.status() == CheckStatus.FAILURE));
      json.writeStringField("stopped", stopped.isEmpty() ? null : stopped);
      json.writeArrayFieldStart("answers");
      for (var checkResult : answers) {
        json.writeStartObject();
        json.writeStringField("subject", checkResult.subject());
        json.writeStringField("verdict", checkResult.status().text());
        json.writeStringField("found", checkResult.found());
        json.writeStringField("fix", checkResult.fix());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a text in memory could not be written", e);
    }
    return text.toString();
  }
}
