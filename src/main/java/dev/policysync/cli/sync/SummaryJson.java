package dev.policysync.cli.sync;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.cli.DurationText;
import dev.policysync.json.Json;
import dev.policysync.sync.RunId;
import dev.policysync.sync.Summary;
import dev.policysync.sync.notification.ApprovalInstructions;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// The summary as one JSON line: the form that log queries rely on, so its names are part of the
/// program's interface and a golden file holds them.
public final class SummaryJson {

  private SummaryJson() {}

  /// The summary as one line.
  ///
  /// @param run which run it is
  public static String write(Summary summary, RunId run) {
    return Json.write(json -> write(json, summary, run));
  }

  private static void write(JsonGenerator json, Summary summary, RunId run) throws IOException {
    var success = SummaryText.success(summary);
    json.writeStartObject();
    json.writeStringField("level", success ? "info" : "error");
    json.writeStringField("msg", success ? "Policy sync completed" : "Policy sync failed");
    json.writeBooleanField("success", success);
    json.writeStringField("duration", DurationText.of(summary.duration()));
    json.writeStringField("summary", SummaryText.counts(summary));
    names(json, "applied", summary.applied().stream().map(change -> change.policy().name()));
    names(json, "updated", summary.updated().stream().map(change -> change.policy().name()));
    names(json, "removed", summary.removed().stream().map(change -> change.policy().name()));
    names(json, "failed", summary.failed().stream().flatMap(problem -> problem.name().stream()));
    json.writeArrayFieldStart("changes");
    changes(json, "applied", summary.applied());
    changes(json, "updated", summary.updated());
    changes(json, "removed", summary.removed());
    json.writeEndArray();
    json.writeNumberField("unchanged", summary.unchanged());
    notes(json, "withheld", summary.withheld());
    approval(json, "approval", summary.approval());
    approval(json, "enforcementApproval", summary.enforcing());
    ImpactJson.write(json, summary.impact());
    notes(json, "conflicts", summary.conflicts());
    notes(json, "notAttempted", summary.notAttempted());
    notes(json, "notInForce", summary.notInForce());
    notes(json, "ignored", summary.ignored());
    notes(json, "terminating", summary.terminating());
    if (summary.conversions().isPresent()) {
      ConversionJson.write(json, summary.conversions().get());
    }
    names(json, "approvals", summary.approvals().stream());
    json.writeArrayFieldStart("errors");
    for (var problem : summary.failed()) {
      json.writeStartObject();
      Json.text(json, "policy", problem.label());
      json.writeStringField("reason", problem.reason());
      json.writeBooleanField("retryable", problem.retryable());
      json.writeEndObject();
    }
    json.writeEndArray();
    names(json, "warnings", summary.warnings().stream());
    json.writeBooleanField("dryRun", summary.dryRun());
    Json.text(json, "skipped", summary.skipped());
    Json.text(json, "feedDigest", summary.feed().map(Object::toString));
    json.writeStringField("run", run.text());
    json.writeEndObject();
  }

  private static void names(JsonGenerator json, String field, java.util.stream.Stream<String> names)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (var name : names.toList()) {
      json.writeString(name);
    }
    json.writeEndArray();
  }

  private static void changes(JsonGenerator json, String action, List<Summary.Change> changes)
      throws IOException {
    for (var change : changes) {
      json.writeStartObject();
      json.writeStringField("action", action);
      json.writeStringField("policy", change.policy().toString());
      json.writeStringField("cause", change.cause().toString());
      if (!change.by().isEmpty()) {
        names(json, "by", change.by().stream());
      }
      json.writeEndObject();
    }
  }

  private static void notes(JsonGenerator json, String field, List<Summary.Note> notes)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (var note : notes) {
      json.writeStartObject();
      json.writeStringField("policy", note.policy());
      json.writeStringField("reason", note.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void approval(
      JsonGenerator json, String field, Optional<ApprovalInstructions> approval)
      throws IOException {
    json.writeFieldName(field);
    if (approval.isEmpty()) {
      json.writeNull();
      return;
    }
    json.writeStartObject();
    json.writeStringField("list", approval.get().list().toString());
    json.writeStringField("command", approval.get().command());
    json.writeEndObject();
  }
}
