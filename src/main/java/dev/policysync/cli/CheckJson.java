package dev.policysync.cli;

import dev.policysync.base.Json;
import dev.policysync.inspect.CheckResult;
import dev.policysync.inspect.CheckStatus;
import java.util.List;

/// The results of `check` as one JSON object. `fix` is empty if there is nothing to do:
///
/// ```json
/// {"success":false,"stopped":null,"answers":[
///   {"subject":"API","verdict":"failure","found":"GET …: returned 401 …","fix":"check …"}]}
/// ```
final class CheckJson {
  private CheckJson() {}

  static String write(List<CheckResult> answers, String stopped) {
    return Json.write(json -> {
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
    });
  }
}
