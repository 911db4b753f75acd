package dev.policysync.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.base.Json;
import dev.policysync.inspect.ClusterFacts;
import dev.policysync.inspect.Schedule;
import dev.policysync.inspect.SyncStatus;
import dev.policysync.sync.AgentNamespace;
import dev.policysync.sync.LeaseHold;
import dev.policysync.sync.Summary.Note;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The status as one JSON object. The field names are part of the program's interface; a golden
/// file pins them.
final class StatusJson {
  private StatusJson() {}

  static String write(SyncStatus syncStatus) {
    return Json.write(json -> write(json, syncStatus));
  }

  private static void write(JsonGenerator json, SyncStatus syncStatus) throws IOException {
    var summary = syncStatus.summary();
    var facts = syncStatus.facts();
    var target = syncStatus.target();
    var policies = syncStatus.policies();
    json.writeStartObject();
    json.writeBooleanField("well", syncStatus.well());
    json.writeStringField("time", syncStatus.now().truncatedTo(ChronoUnit.SECONDS).toString());
    problems(json, syncStatus);
    json.writeStringField("cluster", target.cluster());
    json.writeStringField("source", target.source());
    Json.text(json, "feedDigest", summary.feed().map(Object::toString));
    Json.text(json, "namespace", target.namespace().map(AgentNamespace::name));
    Json.text(json, "namespaceReason", target.namespace().map(AgentNamespace::reason));
    Json.text(json, "kubernetes", facts.kubernetes());
    strings(json, "missingKinds", facts.missingKinds());
    kyverno(json, facts);
    number(json, "endsWithKyverno119", policies.map(SyncStatus.Policies::endsWithKyverno119));
    Json.text(json, "metrics", target.metrics());
    schedule(json, syncStatus);
    lease(json, syncStatus);
    number(json, "expected", policies.map(SyncStatus.Policies::expected));
    number(json, "inForce", policies.flatMap(SyncStatus.Policies::inForce));
    number(json, "rehearsals", policies.map(SyncStatus.Policies::rehearsals));
    pending(json, policies.map(SyncStatus.Policies::pending).orElse(List.of()));
    notes(json, "notInForce", summary.untouched().notInForce());
    notes(json, "fights", policies.map(SyncStatus.Policies::managerConflicts).orElse(List.of()));
    notes(json, "withheld", summary.pending().withheldNotes());
    notes(json, "conflicts", summary.untouched().conflicts());
    notes(json, "ignored", summary.untouched().ignored());
    notes(json, "terminating", summary.untouched().terminating());
    json.writeArrayFieldStart("errors");
    for (var problem : summary.writes().failed()) {
      json.writeStartObject();
      Json.text(json, "policy", problem.label());
      json.writeStringField("reason", problem.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
    strings(json, "approved", summary.pending().approvals());
    strings(json, "warnings", summary.warnings());
    Json.text(json, "approveRemovals", summary.pending().approval().map(how -> how.command()));
    Json.text(json, "approveEnforcement", summary.pending().enforcing().map(how -> how.command()));
    json.writeArrayFieldStart("approvals");
    for (var given : facts.approvals()) {
      json.writeStartObject();
      json.writeStringField("what", given.what());
      json.writeStringField("list", given.list());
      Json.text(json, "by", given.by());
      Json.text(json, "given", given.given().map(Object::toString));
      Json.text(json, "until", given.until().map(Object::toString));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("expiringExceptions");
    for (var exception : facts.expiring()) {
      json.writeStartObject();
      json.writeStringField("exception", exception.exception());
      json.writeStringField("at", exception.at().truncatedTo(ChronoUnit.SECONDS).toString());
      json.writeEndObject();
    }
    json.writeEndArray();
    strings(json, "unread", facts.unread());
    json.writeEndObject();
  }

  private static void problems(JsonGenerator json, SyncStatus syncStatus) throws IOException {
    json.writeArrayFieldStart("problems");
    for (var problem : syncStatus.problems()) {
      json.writeStartObject();
      json.writeStringField("severity", problem.severity().toString().toLowerCase(Locale.ROOT));
      json.writeStringField("title", problem.title());
      json.writeStringField("reason", problem.reason());
      notes(json, "policies", problem.policies());
      Json.text(json, "next", problem.next());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void number(JsonGenerator json, String field, Optional<Integer> number)
      throws IOException {
    json.writeFieldName(field);
    if (number.isPresent()) {
      json.writeNumber(number.get());
    } else {
      json.writeNull();
    }
  }

  private static void kyverno(JsonGenerator json, ClusterFacts facts) throws IOException {
    json.writeFieldName("kyverno");
    if (facts.kyverno().isEmpty()) {
      json.writeNull();
      return;
    }
    var kyverno = facts.kyverno().get();
    json.writeStartObject();
    Json.text(json, "version", kyverno.image());
    json.writeStringField("deployment", kyverno.deployment());
    json.writeNumberField("readyReplicas", kyverno.ready());
    json.writeNumberField("replicas", kyverno.wanted());
    json.writeEndObject();
  }

  private static void schedule(JsonGenerator json, SyncStatus syncStatus) throws IOException {
    json.writeFieldName("schedule");
    switch (syncStatus.facts().schedule()) {
      case Schedule.Unread _ -> json.writeNull();
      case Schedule.Missing(var name) -> noSchedule(json, name);
      case Schedule.OfTheGoAgent(var name) -> noSchedule(json, name);
      case Schedule.CronJob cronJob -> {
        json.writeStartObject();
        json.writeStringField("cronJob", cronJob.name());
        json.writeBooleanField("found", true);
        json.writeBooleanField("suspended", cronJob.suspended());
        Json.text(json, "lastRun", cronJob.lastRun().map(Object::toString));
        Json.text(json, "lastSuccess", cronJob.lastSuccess().map(Object::toString));
        json.writeNumberField("active", cronJob.active());
        json.writeEndObject();
      }
    }
  }

  private static void noSchedule(JsonGenerator json, String name) throws IOException {
    json.writeStartObject();
    json.writeStringField("cronJob", name);
    json.writeBooleanField("found", false);
    json.writeEndObject();
  }

  private static void lease(JsonGenerator json, SyncStatus syncStatus) throws IOException {
    var lease = syncStatus.facts().lease();
    json.writeFieldName("lease");
    if (lease.isEmpty()) {
      json.writeNull();
      return;
    }
    json.writeStartObject();
    json.writeStringField("name", lease.get().name());
    Json.text(json, "holder", lease.get().holder());
    Json.text(json, "heldFor", lease.get().held().map(time -> time.toSeconds() + "s"));
    Json.text(json, "renewed", lease.get().renewed().map(Object::toString));
    json.writeBooleanField("stuck", lease.get().hold() == LeaseHold.STUCK);
    json.writeEndObject();
  }

  private static void pending(JsonGenerator json, List<SyncStatus.Pending> policies)
      throws IOException {
    json.writeArrayFieldStart("pending");
    for (var pending : policies) {
      json.writeStartObject();
      json.writeStringField("policy", pending.policy());
      json.writeStringField("cause", pending.cause().toString());
      strings(json, "by", pending.by());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void notes(JsonGenerator json, String field, List<Note> notes) throws IOException {
    json.writeArrayFieldStart(field);
    for (var note : notes) {
      json.writeStartObject();
      json.writeStringField("policy", note.policy());
      json.writeStringField("reason", note.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void strings(JsonGenerator json, String field, List<String> values)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (var value : values) {
      json.writeString(value);
    }
    json.writeEndArray();
  }
}
