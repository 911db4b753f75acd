package dev.policysync.cluster.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.json.CanonicalJson;
import dev.policysync.json.Json;
import dev.policysync.json.Value;
import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.plan.history.DriftHistory;
import dev.policysync.plan.history.FeedHistory;
import dev.policysync.plan.history.RemovalHistory;
import dev.policysync.plan.ownership.SourceName;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.FailureHistory;
import dev.policysync.sync.state.PolicyStatus;
import dev.policysync.sync.state.PolicyStatus.Operation;
import dev.policysync.sync.state.RunState;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A [RunState] as the text of an annotation, which all annotations together may not make longer
/// than 256 KiB. Policies are written by kind, so that thousands of them fit:
///
/// ```json
/// {"agreement": {"cluster": "sha256:2c26…", "feed": "sha256:fcde…"},
///  "begun": {"ClusterPolicy.kyverno.io": ["a", "b"]},
///  "failures": [{"policies": {"ClusterPolicy.kyverno.io": ["c"]}, "runs": 7,
///                "since": "2026-11-21T03:00:00Z"}],
///  "feeds": {"older": {"at": "2026-11-21T03:00:00Z", "feed": "sha256:9e10…"}, "source": "acme/prod-1",
///            "written": [{"at": "2026-11-21T02:55:00Z", "feed": "sha256:fcde…"}]},
///  "ownedBefore": 20,
///  "removed": [{"at": "2026-11-21T03:00:00Z", "count": 2, "owned": 22}],
///  "removing": ["7a1e…", "9c04…"],
///  "repairs": [{"by": ["argocd"], "last": "2026-11-21T03:00:00Z",
///               "policies": {"ClusterPolicy.kyverno.io": ["c"]}, "times": 2}],
///  "unsent": [{"action": "apply", "at": "2026-11-21T03:00:00Z", "success": true,
///              "policies": {"Policy.kyverno.io": ["shop/d", "shop/e"]}},
///             {"action": "apply", "at": "2026-11-21T03:00:00Z", "success": false, "name": "f",
///              "output": "ClusterPolicy/f: …", "policies": {"ClusterPolicy.kyverno.io": ["f"]}}],
///  "withheld": {"at": "2026-11-21T03:00:00Z", "count": 5}}
/// ```
///
/// What is not understood is left out: it was noted by a newer version, or changed by hand.
final class RunStateJson {
  private static final int LONGEST = 192 * 1024;
  private static final int LONGEST_OUTPUT = 200;
  private static final int MOST_REPAIRS = 100;

  private static final Logger LOG = LoggerFactory.getLogger(RunStateJson.class);

  private RunStateJson() {}

  /// The text; empty where there is nothing to remember. What does not fit is forgotten: of the
  /// statuses first the failures, which come again with the next try, then the oldest ones; then
  /// for how long policies have failed, for which removals wait longer; then which removals a run
  /// begins, of which all count if it is killed.
  static Optional<String> write(RunState runState) {
    var fitting = runState;
    var text = text(fitting);
    while (text.getBytes(UTF_8).length > LONGEST) {
      fitting = smaller(fitting);
      text = text(fitting);
    }
    var forgotten = runState.unsent().size() - fitting.unsent().size();
    if (forgotten > 0) {
      LOG.atWarn().addKeyValue("statuses", forgotten).log("Too many statuses to remember them all");
    }
    return text.equals("{}") ? Optional.empty() : Optional.of(text);
  }

  private static RunState smaller(RunState runState) {
    var unsent = runState.unsent();
    if (unsent.isEmpty() && !runState.failures().equals(FailureHistory.NONE)) {
      return runState.withFailures(FailureHistory.NONE);
    }
    if (unsent.isEmpty() && !runState.removals().begun().isEmpty()) {
      // Should the run be killed, all of its removals count, also those that it did not get to.
      return runState.withRemovals(runState.removals().beginning(List.of()));
    }
    if (unsent.isEmpty()) {
      return new RunState(
          runState.removals(),
          new TreeSet<>(),
          List.of(),
          runState.driftHistory(),
          runState.agreement(),
          runState.failures(),
          runState.feeds());
    }
    var successes = unsent.stream().filter(PolicyStatus::success).toList();
    var kept =
        successes.size() < unsent.size()
            ? successes
            : unsent.subList((unsent.size() + 1) / 2, unsent.size());
    return new RunState(
        runState.removals(),
        runState.begun(),
        kept,
        runState.driftHistory(),
        runState.agreement(),
        runState.failures(),
        runState.feeds());
  }

  private static String text(RunState runState) {
    var fields = new LinkedHashMap<String, Value>();
    fields.putAll(removals(runState.removals()).fields());
    if (!runState.feeds().equals(FeedHistory.NONE)) {
      fields.put("feeds", feeds(runState.feeds()));
    }
    runState
        .agreement()
        .ifPresent(inSyncFingerprint ->
            fields.put(
                "agreement",
                Value.Mapping.EMPTY
                    .with("feed", new Value.Text(inSyncFingerprint.feed().text()))
                    .with("cluster", new Value.Text(inSyncFingerprint.cluster().text()))));
    if (!runState.begun().isEmpty()) {
      fields.put("begun", policies(runState.begun()));
    }
    if (!runState.unsent().isEmpty()) {
      fields.put("unsent", unsent(runState.unsent()));
    }
    if (!runState.driftHistory().series().isEmpty()) {
      fields.put("repairs", repairs(runState.driftHistory().series()));
    }
    if (!runState.failures().streaks().isEmpty()) {
      fields.put("failures", failures(runState.failures()));
    }
    return CanonicalJson.write(new Value.Mapping(fields));
  }

  /// Those that began and went on together share an entry.
  private static Value failures(FailureHistory failures) {
    var together = new LinkedHashMap<FailureHistory.Streak, List<PolicyId>>();
    failures
        .streaks()
        .forEach((id, streak) -> together.computeIfAbsent(streak, _ -> new ArrayList<>()).add(id));
    return new Value.Sequence(
        together.entrySet().stream()
            .<Value>map(entry ->
                Value.Mapping.EMPTY
                    .with("policies", policies(entry.getValue()))
                    .with("since", time(entry.getKey().since()))
                    .with("runs", number(entry.getKey().runs())))
            .toList());
  }

  private static Value.Mapping removals(RemovalHistory removals) {
    var fields = new LinkedHashMap<String, Value>();
    removals.ownedBefore().ifPresent(owned -> fields.put("ownedBefore", number(owned)));
    removals
        .withheld()
        .ifPresent(held ->
            fields.put(
                "withheld",
                Value.Mapping.EMPTY
                    .with("at", time(held.at()))
                    .with("count", number(held.count()))));
    if (!removals.removed().isEmpty()) {
      fields.put(
          "removed",
          new Value.Sequence(
              removals.removed().stream()
                  .<Value>map(entry ->
                      Value.Mapping.EMPTY
                          .with("at", time(entry.slot()))
                          .with("count", number(entry.count()))
                          .with("owned", number(entry.owned())))
                  .toList()));
    }
    if (!removals.begun().isEmpty()) {
      fields.put("removing", texts(removals.begun()));
    }
    return new Value.Mapping(fields);
  }

  private static Value.Mapping feeds(FeedHistory feeds) {
    List<Value> written =
        feeds.written().stream().<Value>map(each -> feed(each.feed(), each.at())).toList();
    var fields =
        Value.Mapping.EMPTY
            .with("source", new Value.Text(feeds.source().text()))
            .with("written", new Value.Sequence(written));
    return feeds
        .older()
        .map(older -> fields.with("older", feed(older.feed(), older.since())))
        .orElse(fields);
  }

  private static Value.Mapping feed(Digest digest, Instant at) {
    return Value.Mapping.EMPTY.with("feed", new Value.Text(digest.text())).with("at", time(at));
  }

  private static Value unsent(List<PolicyStatus> statuses) {
    var entries = new ArrayList<Value>();
    var successes = new LinkedHashMap<Value.Mapping, List<PolicyId>>();
    for (var status : statuses) {
      if (status.success() && named(status)) {
        successes.computeIfAbsent(entry(status), _ -> new ArrayList<>()).addAll(status.policies());
      } else {
        var output = status.output();
        entries.add(
            entry(status)
                .with("name", new Value.Text(status.name()))
                .with(
                    "output",
                    new Value.Text(output.substring(0, Math.min(LONGEST_OUTPUT, output.length()))))
                .with("policies", policies(status.policies())));
      }
    }
    successes.forEach((entry, all) -> entries.add(entry.with("policies", policies(all))));
    return new Value.Sequence(entries);
  }

  /// Whether its policies tell its name.
  private static boolean named(PolicyStatus status) {
    return !status.policies().isEmpty()
        && status.policies().stream().allMatch(id -> id.name().equals(status.name()));
  }

  private static Value.Mapping entry(PolicyStatus status) {
    return Value.Mapping.EMPTY
        .with("at", time(status.at()))
        .with("action", new Value.Text(status.operation().name().toLowerCase(Locale.ROOT)))
        .with("success", new Value.Bool(status.success()));
  }

  private static Value repairs(Map<PolicyId, DriftHistory.Series> repairs) {
    return new Value.Sequence(
        repairs.entrySet().stream()
            .skip(Math.max(0, repairs.size() - MOST_REPAIRS))
            .<Value>map(entry ->
                Value.Mapping.EMPTY
                    .with("policies", policies(List.of(entry.getKey())))
                    .with("by", texts(entry.getValue().by()))
                    .with("times", number(entry.getValue().times()))
                    .with("last", time(entry.getValue().last())))
            .toList());
  }

  private static Value policies(Collection<PolicyId> ids) {
    var kinds = new TreeMap<String, List<String>>();
    for (var id : ids) {
      kinds.computeIfAbsent(id.kind().qualified(), _ -> new ArrayList<>()).add(id.path());
    }
    var fields = new LinkedHashMap<String, Value>();
    kinds.forEach((kind, paths) -> fields.put(kind, texts(paths)));
    return new Value.Mapping(fields);
  }

  private static Value texts(Collection<String> texts) {
    return new Value.Sequence(texts.stream().<Value>map(Value.Text::new).toList());
  }

  private static Value number(int number) {
    return new Value.Numeric(Integer.toString(number));
  }

  private static Value time(Instant time) {
    return new Value.Text(time.truncatedTo(ChronoUnit.SECONDS).toString());
  }

  /// What that text says.
  static RunState read(String text) {
    try {
      return Json.parse(text) instanceof Value.Mapping fields ? memory(fields) : RunState.NONE;
    } catch (IOException | DateTimeException | IllegalArgumentException e) {
      LOG.atWarn()
          .addKeyValue("annotation", LeaseRunStateStore.MEMORY)
          .log("What earlier runs noted cannot be read");
      return RunState.NONE;
    }
  }

  private static RunState memory(Value.Mapping fields) {
    var unsent = new ArrayList<PolicyStatus>();
    mappings(fields, "unsent").forEach(entry -> unsent.addAll(statuses(entry)));
    var repairs = new LinkedHashMap<PolicyId, DriftHistory.Series>();
    for (var entry : mappings(fields, "repairs")) {
      for (var id : ids(entry.mapping("policies"))) {
        repairs.put(
            id,
            new DriftHistory.Series(
                new TreeSet<>(texts(entry.items("by"))),
                number(entry, "times").orElse(0),
                time(entry, "last")));
      }
    }
    return new RunState(
        removals(fields),
        new TreeSet<>(ids(fields.mapping("begun"))),
        unsent,
        new DriftHistory(repairs),
        agreement(fields.mapping("agreement")),
        failures(fields),
        feeds(fields.mapping("feeds")));
  }

  private static RemovalHistory removals(Value.Mapping fields) {
    var held = fields.mapping("withheld");
    return new RemovalHistory(
        number(fields, "ownedBefore"),
        number(held, "count").map(count -> new RemovalHistory.Withheld(count, time(held, "at"))),
        mappings(fields, "removed").stream()
            .map(entry ->
                new RemovalHistory.Removed(
                    time(entry, "at"),
                    number(entry, "count").orElse(0),
                    number(entry, "owned").orElse(0)))
            .toList(),
        new TreeSet<>(texts(fields.items("removing"))));
  }

  private static FeedHistory feeds(Value.Mapping fields) {
    var older = fields.mapping("older");
    return fields
        .text("source")
        .map(source ->
            new FeedHistory(
                new SourceName(source),
                mappings(fields, "written").stream()
                    .flatMap(entry ->
                        digest(entry)
                            .map(feed -> new FeedHistory.Written(feed, time(entry, "at")))
                            .stream())
                    .toList(),
                digest(older).map(feed -> new FeedHistory.Older(feed, time(older, "at")))))
        .orElse(FeedHistory.NONE);
  }

  private static Optional<Digest> digest(Value.Mapping entry) {
    return entry.text("feed").map(Digest::new);
  }

  private static FailureHistory failures(Value.Mapping fields) {
    var streaks = new TreeMap<PolicyId, FailureHistory.Streak>();
    for (var entry : mappings(fields, "failures")) {
      var streak = new FailureHistory.Streak(time(entry, "since"), number(entry, "runs").orElse(0));
      ids(entry.mapping("policies")).forEach(id -> streaks.put(id, streak));
    }
    return new FailureHistory(streaks);
  }

  private static Optional<InSyncFingerprint> agreement(Value.Mapping fields) {
    return fields
        .text("feed")
        .flatMap(feed ->
            fields
                .text("cluster")
                .map(cluster -> new InSyncFingerprint(new Digest(feed), new Digest(cluster))));
  }

  private static List<PolicyStatus> statuses(Value.Mapping entry) {
    var byName = new LinkedHashMap<String, List<PolicyId>>();
    entry.text("name").ifPresent(name -> byName.put(name, new ArrayList<>()));
    for (var id : ids(entry.mapping("policies"))) {
      byName.computeIfAbsent(entry.text("name").orElse(id.name()), _ -> new ArrayList<>()).add(id);
    }
    var operation =
        entry.text("action").orElse("").equals("delete") ? Operation.DELETE : Operation.APPLY;
    var success = new Value.Bool(true).equals(entry.fields().get("success"));
    var at = time(entry, "at");
    var output = entry.text("output").orElse("");
    return byName.entrySet().stream()
        .map(named ->
            new PolicyStatus(named.getKey(), operation, success, at, "", output, named.getValue()))
        .toList();
  }

  private static List<PolicyId> ids(Value.Mapping kinds) {
    var ids = new ArrayList<PolicyId>();
    for (var kind : kinds.fields().keySet()) {
      for (var path : texts(kinds.items(kind))) {
        PolicyId.ofKey(kind + "/" + path).ifPresent(ids::add);
      }
    }
    return ids;
  }

  private static List<Value.Mapping> mappings(Value.Mapping fields, String name) {
    return fields.items(name).stream()
        .filter(Value.Mapping.class::isInstance)
        .map(Value.Mapping.class::cast)
        .toList();
  }

  private static List<String> texts(List<Value> values) {
    return values.stream()
        .filter(Value.Text.class::isInstance)
        .map(value -> ((Value.Text) value).text())
        .toList();
  }

  private static Optional<Integer> number(Value.Mapping fields, String name) {
    return fields.fields().get(name) instanceof Value.Numeric(var literal)
        ? Optional.of(Integer.parseInt(literal))
        : Optional.empty();
  }

  private static Instant time(Value.Mapping fields, String name) {
    return Instant.parse(fields.text(name).orElse(""));
  }
}
