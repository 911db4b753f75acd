package dev.policysync.cluster.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.json.CanonicalJson;
import dev.policysync.json.Json;
import dev.policysync.json.Value;
import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.policy.Digest;
import dev.policysync.policy.feed.FeedVersion;
import dev.policysync.sync.state.Agreement;
import dev.policysync.sync.state.RunState;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A [RunState] as the text of an annotation, which all annotations together may not make longer
/// than 256 KiB. What is empty is left out, and each of the lists has a class of its own:
///
/// ```json
/// {"agreement": {"cluster": "sha256:2c26…", "entityTag": "…", "feed": "sha256:fcde…", "url": "…"},
///  "begun": {"ClusterPolicy.kyverno.io": ["a", "b"]},
///  "failures": […], "feeds": {…}, "repairs": […], "unsent": […],
///  "ownedBefore": 20, "removed": […], "removing": […], "withheld": {…}}
/// ```
///
/// What is not understood is left out: it was noted by a newer version, or changed by hand.
final class RunStateJson {
  private static final int LONGEST = 192 * 1024;

  private static final Value.Sequence NO_ITEMS = new Value.Sequence(List.of());

  private static final Logger LOG = LoggerFactory.getLogger(RunStateJson.class);

  private RunStateJson() {}

  /// The text; empty where there is nothing to remember. What does not fit is forgotten, in the
  /// order of [RunStateTruncation].
  static Optional<String> write(RunState runState) {
    var fitting = runState;
    var text = text(fitting);
    while (text.getBytes(UTF_8).length > LONGEST) {
      fitting = RunStateTruncation.shorter(fitting);
      text = text(fitting);
    }
    var forgotten = runState.unsent().size() - fitting.unsent().size();
    if (forgotten > 0) {
      LOG.atWarn()
          .addKeyValue("statuses", forgotten)
          .log("Too many statuses to store, the oldest are dropped");
    }
    return text.equals("{}") ? Optional.empty() : Optional.of(text);
  }

  private static String text(RunState runState) {
    var fields = new LinkedHashMap<>(RemovalHistoryJson.write(runState.removals()).fields());
    fields.put("agreement", agreement(runState.agreement()));
    fields.put("begun", RunStateFields.policies(runState.begun()));
    fields.put("failures", FailureHistoryJson.write(runState.failures()));
    fields.put("feeds", FeedHistoryJson.write(runState.feeds()));
    fields.put("repairs", DriftHistoryJson.write(runState.driftHistory()));
    fields.put("unsent", PolicyStatusJson.write(runState.unsent()));
    fields.values().removeIf(value -> value.equals(Value.Mapping.EMPTY) || value.equals(NO_ITEMS));
    return CanonicalJson.write(new Value.Mapping(fields));
  }

  /// What that text says.
  static RunState read(String text) {
    try {
      return Json.parse(text) instanceof Value.Mapping fields ? runState(fields) : RunState.NONE;
    } catch (IOException | DateTimeException | IllegalArgumentException e) {
      LOG.atWarn()
          .addKeyValue("annotation", LeaseRunStateStore.MEMORY)
          .log("State of earlier runs cannot be read");
      return RunState.NONE;
    }
  }

  private static RunState runState(Value.Mapping fields) {
    return new RunState(
        RemovalHistoryJson.read(fields),
        new TreeSet<>(RunStateFields.policies(fields.mapping("begun"))),
        PolicyStatusJson.read(fields.mappings("unsent")),
        DriftHistoryJson.read(fields.mappings("repairs")),
        agreement(fields.mapping("agreement")),
        FailureHistoryJson.read(fields.mappings("failures")),
        FeedHistoryJson.read(fields.mapping("feeds")));
  }

  private static Value.Mapping agreement(Optional<Agreement> found) {
    return found
        .map(agreement -> {
          var on = agreement.fingerprint();
          var fields =
              Value.Mapping.EMPTY
                  .with("feed", new Value.Text(on.feed().text()))
                  .with("cluster", new Value.Text(on.cluster().text()));
          return agreement
              .feedVersion()
              .map(version ->
                  fields
                      .with("entityTag", new Value.Text(version.entityTag()))
                      .with("url", new Value.Text(version.url())))
              .orElse(fields);
        })
        .orElse(Value.Mapping.EMPTY);
  }

  private static Optional<Agreement> agreement(Value.Mapping fields) {
    return both(
            fields,
            "feed",
            "cluster",
            (feed, cluster) -> new InSyncFingerprint(new Digest(feed), new Digest(cluster)))
        .map(on -> new Agreement(on, both(fields, "url", "entityTag", FeedVersion::new)));
  }

  private static <T> Optional<T> both(
      Value.Mapping fields, String one, String other, BiFunction<String, String, T> make) {
    return fields
        .text(one)
        .flatMap(first -> fields.text(other).map(second -> make.apply(first, second)));
  }
}
