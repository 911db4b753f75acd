package dev.policysync.remote.cluster.lease;

import static dev.policysync.remote.cluster.lease.RunStateFields.mapping;
import static dev.policysync.remote.cluster.lease.RunStateFields.required;
import static dev.policysync.remote.cluster.lease.RunStateFields.text;
import static dev.policysync.remote.cluster.lease.RunStateFields.time;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.plan.DriftHistory;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.plan.KnownGenerations;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.FeedVersion;
import dev.policysync.sync.Agreement;
import dev.policysync.sync.RecentErrors;
import dev.policysync.sync.RunState;
import dev.policysync.sync.execution.FailureHistory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads and writes a [RunState] as the text of an annotation. All annotations of an object
/// together may have 256 KiB. Empty fields are left out, and each of the lists has its own class:
///
/// ```json
/// {"agreement": {"at": "2026-11-25T10:00:00Z", "cluster": "sha256:2c26…", "entityTag": "…",
///                "feed": "sha256:fcde…", "served": {"ClusterPolicy.kyverno.io": "v1", …},
///                "url": "…"},
///  "errors": […], "failures": […], "feeds": {…}, "generations": "Ab0…", "repairs": […], "statuses": […],
///  "ownedBefore": 20, "removed": […], "removing": […], "unreadableSince": "…", "waiting": {…},
///  "withheld": {…}}
/// ```
///
/// An unreadable field was written by a newer version, or changed by a person. It is left out and
/// reported, and removals wait ([RemovalHistory.Gap]).
final class RunStateJson {
  private static final int LONGEST = 192 * 1024;

  private static final Value.Sequence NO_ITEMS = new Value.Sequence(List.of());
  private static final Value.Text NO_TEXT = new Value.Text("");

  private static final RunState UNREADABLE =
      RunState.NONE.withRemovals(
          RemovalHistory.NONE.withUnreadable(List.of(LeaseRunStateStore.MEMORY)));

  private static final Logger LOG = LoggerFactory.getLogger(RunStateJson.class);

  private RunStateJson() {}

  /// Returns the text; empty if the run state is empty. If the state is too long, parts of it are
  /// dropped in the order of [RunStateTruncation].
  static Optional<String> write(RunState runState) {
    var fitting = runState;
    var text = json(fitting);
    while (text.getBytes(UTF_8).length > LONGEST) {
      fitting = RunStateTruncation.shorter(fitting).orElseThrow(RunStateJson::tooLong);
      text = json(fitting);
    }
    var forgotten = unsent(runState) - unsent(fitting);
    if (forgotten > 0) {
      LOG.atWarn()
          .addKeyValue("statuses", forgotten)
          .log("Too many statuses to store, the oldest are dropped");
    }
    return text.equals("{}") ? Optional.empty() : Optional.of(text);
  }

  private static int unsent(RunState runState) {
    return runState.backlogs().stream().mapToInt(backlog -> backlog.unsent().size()).sum();
  }

  private static String json(RunState runState) {
    var fields = new LinkedHashMap<>(RemovalHistoryJson.write(runState.removals()).fields());
    fields.put("agreement", agreement(runState.agreement()));
    fields.put("errors", RecentErrorsJson.write(runState.recentErrors()));
    fields.put("failures", FailureHistoryJson.write(runState.failures()));
    fields.put("feeds", FeedHistoryJson.write(runState.feeds()));
    fields.put("generations", generations(runState.knownGenerations()));
    fields.put("repairs", DriftHistoryJson.write(runState.driftHistory()));
    fields.put("statuses", StatusBacklogJson.write(runState.backlogs()));
    fields
        .values()
        .removeIf(value ->
            value.equals(Value.Mapping.EMPTY) || value.equals(NO_ITEMS) || value.equals(NO_TEXT));
    return CanonicalJson.write(new Value.Mapping(fields));
  }

  private static IllegalStateException tooLong() {
    return new IllegalStateException(
        "the state for the next run cannot be shortened to " + LONGEST + " bytes");
  }

  /// Parses the text. Each field is read on its own: an unreadable field is left out, and recorded
  /// in the [RemovalHistory.Gap] of the removal history.
  static RunState read(String text) {
    try {
      return Json.parse(text) instanceof Value.Mapping fields ? runState(fields) : UNREADABLE;
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("State of earlier runs is no JSON");
      return UNREADABLE;
    }
  }

  private static RunState runState(Value.Mapping all) {
    var fields = new RunStateFields(all);
    var runState =
        new RunState(
            RemovalHistoryJson.read(fields),
            fields.read("statuses", List.of(), StatusBacklogJson::read),
            fields.read("repairs", DriftHistory.NONE, DriftHistoryJson::read),
            fields.read("agreement", Optional.empty(), RunStateJson::agreement),
            fields.read("failures", FailureHistory.NONE, FailureHistoryJson::read),
            fields.read("feeds", FeedHistory.NONE, FeedHistoryJson::read),
            fields.read("generations", KnownGenerations.NONE, RunStateJson::generations),
            fields.read("errors", RecentErrors.NONE, RecentErrorsJson::read));
    return runState.withRemovals(runState.removals().withUnreadable(fields.unreadable()));
  }

  private static Value.Mapping agreement(Optional<Agreement> found) {
    return found
        .map(agreement -> {
          var on = agreement.fingerprint();
          var fields =
              Value.Mapping.EMPTY
                  .with("feed", on.feed().text())
                  .with("cluster", on.cluster().text())
                  .with("at", time(agreement.at()))
                  .with("served", served(agreement.served()));
          return agreement
              .feedVersion()
              .map(version ->
                  fields.with("entityTag", version.entityTag()).with("url", version.url()))
              .orElse(fields);
        })
        .orElse(Value.Mapping.EMPTY);
  }

  private static Optional<Agreement> agreement(Value value) {
    var fields = mapping(value);
    var on =
        new InSyncFingerprint(
            new Digest(text(required(fields, "feed"))),
            new Digest(text(required(fields, "cluster"))));
    var version =
        fields
            .field("entityTag")
            .map(tag -> new FeedVersion(text(required(fields, "url")), text(tag)));
    // Earlier versions recorded no time, so their in-sync record is always checked again.
    var at = fields.field("at").map(RunStateFields::time).orElse(Instant.EPOCH);
    return Optional.of(new Agreement(on, version, served(fields.mapping("served")), at));
  }

  /// Writes each hash as four bytes, all of them as Base64.
  private static Value.Text generations(KnownGenerations known) {
    var bytes = ByteBuffer.allocate(4 * known.hashes().size());
    known.hashes().forEach(bytes::putInt);
    return new Value.Text(Base64.getEncoder().encodeToString(bytes.array()));
  }

  private static KnownGenerations generations(Value value) {
    var bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text(value)));
    if (bytes.remaining() % 4 != 0) {
      throw new IllegalArgumentException("no list of hashes");
    }
    var hashes = new TreeSet<Integer>();
    while (bytes.hasRemaining()) {
      hashes.add(bytes.getInt());
    }
    return new KnownGenerations(hashes);
  }

  private static Value.Mapping served(Map<PolicyKind, String> versions) {
    var fields = new LinkedHashMap<String, Value>();
    versions.forEach((kind, version) -> fields.put(kind.qualified(), new Value.Text(version)));
    return new Value.Mapping(fields);
  }

  private static Map<PolicyKind, String> served(Value.Mapping fields) {
    var versions = new EnumMap<PolicyKind, String>(PolicyKind.class);
    for (var kind : PolicyKind.all()) {
      fields.text(kind.qualified()).ifPresent(version -> versions.put(kind, version));
    }
    return versions;
  }
}
