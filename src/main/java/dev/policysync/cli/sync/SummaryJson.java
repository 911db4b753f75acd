package dev.policysync.cli.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.cli.DurationText;
import dev.policysync.plan.FieldChange;
import dev.policysync.plan.SourceName;
import dev.policysync.sync.AgentNamespace;
import dev.policysync.sync.ApprovalInstructions;
import dev.policysync.sync.RunId;
import dev.policysync.sync.Summary;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// The summary as one line of JSON. Log queries rely on its field names, so they are part of the
/// program's interface, and a golden file tests them.
///
/// In the log the line has at most 64 KiB, because pipelines cut or drop longer ones: lists are
/// shortened, and `omitted` counts the missing entries ([ListLimit]). The counts in `summary`
/// always cover the whole run.
public final class SummaryJson {
  /// The maximum length of the line in bytes. Log pipelines cut lines at 256 KiB or less.
  private static final int LINE = 64 << 10;

  /// The maximum number of entries per list; fewer if the line would be too long.
  private static final int ENTRIES = 200;

  /// The maximum length of a text in characters; reasons have a few hundred.
  private static final int TEXT = 2_000;

  private static final int OMITTED_REASON = 200;

  private final JsonGenerator json;
  private final ListLimit limit;
  private final int textLength;

  private SummaryJson(JsonGenerator json, ListLimit limit, int textLength) {
    this.json = json;
    this.limit = limit;
    this.textLength = textLength;
  }

  /// Returns the summary as one line of the log.
  ///
  /// @param run the id of the run
  /// @param source of the policies; empty if the settings could not be read
  public static String write(Summary summary, RunId run, Optional<SourceName> source) {
    for (int most = ENTRIES; ; most /= 2) {
      var line = write(summary, run, source, most, TEXT);
      if (most == 0 || line.getBytes(UTF_8).length <= LINE) {
        return line;
      }
    }
  }

  /// Returns the summary with all entries, however long.
  static String writeWhole(Summary summary, RunId run, Optional<SourceName> source) {
    return write(summary, run, source, Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  private static String write(
      Summary summary, RunId run, Optional<SourceName> source, int entries, int textLength) {
    var limit = new ListLimit(entries);
    return Json.write(
        json -> new SummaryJson(json, limit, textLength).generate(summary, run, source));
  }

  private void generate(Summary summary, RunId run, Optional<SourceName> source)
      throws IOException {
    var success = HeadlineText.success(summary);
    json.writeStartObject();
    json.writeStringField("level", success ? "info" : "error");
    json.writeStringField("msg", success ? "Policy sync completed" : "Policy sync failed");
    json.writeBooleanField("success", success);
    json.writeStringField("duration", DurationText.of(summary.duration()));
    json.writeStringField("summary", HeadlineText.counts(summary));
    names("applied", summary.writes().applied());
    names("updated", summary.writes().updated());
    names("removed", summary.writes().removed());
    var failed =
        summary.writes().failed().stream().filter(problem -> problem.name().isPresent()).toList();
    json.writeArrayFieldStart("failed");
    for (var problem : limit.shorten("failed", failed, problem -> reason(problem.reason()))) {
      json.writeString(problem.name().orElseThrow());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("changes");
    changes("applied", summary.writes().applied());
    changes("updated", summary.writes().updated());
    changes("removed", summary.writes().removed());
    json.writeEndArray();
    json.writeNumberField("unchanged", summary.untouched().unchanged());
    notes("withheld", summary.pending().withheldNotes());
    approval("approval", summary.pending().approval());
    approval("enforcementApproval", summary.pending().enforcing());
    ImpactJson.write(
        json, limit.shorten("impact", summary.impact(), impact -> reason(impact.because())));
    notes("conflicts", summary.untouched().conflicts());
    notes("notAttempted", summary.writes().notAttempted());
    notes("waiting", summary.pending().waiting());
    notes("notInForce", summary.untouched().notInForce());
    notes("ignored", summary.untouched().ignored());
    notes("terminating", summary.untouched().terminating());
    if (summary.conversions().isPresent()) {
      ConversionJson.write(
          json, limit.shorten("conversions", summary.conversions().get(), _ -> Optional.empty()));
    }
    texts("approvals", summary.pending().approvals());
    json.writeArrayFieldStart("errors");
    for (var problem :
        limit.shorten("errors", summary.writes().failed(), problem -> reason(problem.reason()))) {
      json.writeStartObject();
      Json.text(json, "policy", problem.label());
      json.writeStringField("reason", cut(problem.reason(), textLength));
      json.writeBooleanField("retryable", problem.retryable());
      if (problem.position().isPresent()) {
        json.writeStringField("position", problem.position().get().toString());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    texts("warnings", summary.warnings());
    json.writeArrayFieldStart("omitted");
    for (var omitted : limit.omitted()) {
      json.writeStartObject();
      json.writeStringField("list", omitted.list());
      json.writeNumberField("count", omitted.count());
      if (omitted.reason().isPresent()) {
        json.writeStringField("reason", omitted.reason().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeBooleanField("dryRun", summary.dryRun());
    Json.text(json, "skipped", summary.skipped());
    Json.text(json, "organization", source.flatMap(SourceName::organization));
    Json.text(json, "cluster", source.flatMap(SourceName::cluster));
    Json.text(json, "feedDigest", summary.feed().map(Object::toString));
    Json.text(json, "namespace", summary.namespace().map(AgentNamespace::name));
    Json.text(json, "namespaceReason", summary.namespace().map(AgentNamespace::reason));
    json.writeStringField("run", run.text());
    json.writeEndObject();
  }

  private void names(String list, List<Summary.Change> changes) throws IOException {
    json.writeArrayFieldStart(list);
    for (var change : limit.shorten(list, changes, SummaryJson::reason)) {
      json.writeString(change.policy().name());
    }
    json.writeEndArray();
  }

  private void texts(String list, List<String> texts) throws IOException {
    json.writeArrayFieldStart(list);
    for (var text : limit.shorten(list, texts, _ -> Optional.empty())) {
      json.writeString(cut(text, textLength));
    }
    json.writeEndArray();
  }

  /// Writes the changes of one action. The list of names counts the omitted ones.
  private void changes(String action, List<Summary.Change> changes) throws IOException {
    for (var change : limit.uncounted().shorten(action, changes, SummaryJson::reason)) {
      json.writeStartObject();
      json.writeStringField("action", action);
      json.writeStringField("policy", change.policy().toString());
      json.writeStringField("cause", change.cause().toString());
      if (!change.by().isEmpty()) {
        json.writeArrayFieldStart("by");
        for (var manager : change.by()) {
          json.writeString(manager);
        }
        json.writeEndArray();
      }
      fields(change.policyDiff().fields());
      json.writeEndObject();
    }
  }

  /// Writes the changed fields, which only `diff` knows.
  private void fields(List<FieldChange> fields) throws IOException {
    if (fields.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("fields");
    for (var field : fields) {
      json.writeStartObject();
      json.writeStringField("path", field.path());
      value("before", field.before());
      value("after", field.after());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void value(String field, Optional<Value> value) throws IOException {
    if (value.isPresent()) {
      json.writeFieldName(field);
      json.writeRawValue(Json.write(value.get()));
    }
  }

  private void notes(String list, List<Summary.Note> notes) throws IOException {
    json.writeArrayFieldStart(list);
    for (var note : limit.shorten(list, notes, entry -> reason(entry.reason()))) {
      json.writeStartObject();
      json.writeStringField("policy", note.policy());
      json.writeStringField("reason", cut(note.reason(), textLength));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void approval(String field, Optional<ApprovalInstructions> approval) throws IOException {
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

  private static Optional<String> reason(Summary.Change change) {
    return Optional.of(change.cause().toString());
  }

  private static Optional<String> reason(String text) {
    return Optional.of(cut(text, OMITTED_REASON));
  }

  private static String cut(String text, int length) {
    if (text.length() <= length) {
      return text;
    }
    var end = length - 1;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
  }
}
