package dev.policysync.remote.cluster.lease;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Parallel;
import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.remote.cluster.ApiErrorClassifier;
import dev.policysync.remote.cluster.ApiResponse;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.KubeApi;
import dev.policysync.remote.cluster.MissingPermission;
import dev.policysync.sync.EventSink;
import dev.policysync.sync.PolicyEvent;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import okhttp3.HttpUrl;

/// Writes Events (`events.k8s.io/v1`) about the Lease, in the agent's own namespace, which all of
/// its runs share: `kubectl events --for lease/kyverno-policy-sync-lock`. The policy is the Event's
/// `related` object. Events about the policy itself would have to be in the namespace `default`,
/// which is not the agent's.
///
/// A repeated Event increments the count of the existing one, as long as the API server keeps it
/// (an hour by default). A lasting condition, such as a failure or a withheld removal, is repeated
/// once an hour, so that a later reader finds it; a run that finds nothing new writes nothing. The
/// Event itself records when it was last repeated.
public final class LeaseEvents implements EventSink {
  private static final String CONTROLLER = "policysync.dev/agent";

  /// The API server's limits for the note and the instance's name, in bytes.
  private static final int NOTE = 1_024;

  private static final int INSTANCE = 128;

  /// How often the Event of a lasting condition is repeated.
  private static final Duration AGAIN_AFTER = Duration.ofHours(1);

  private static final int CONFLICT = 409;

  private static final int AT_ONCE = 4;

  /// The time limit for writing the Events of a run. They are optional, and a run that has synced
  /// everything must not wait for them.
  private static final Duration TIME_LIMIT = Duration.ofSeconds(10);

  private final KubeApi api;
  private final String namespace;
  private final String instance;
  private final Clock clock;

  /// Creates a writer of Events in this namespace for one run; its time limit begins now.
  ///
  /// @param instance the reporting instance: `kyverno-policy-sync-29384-x7k2p-3f9a1c2e`
  public LeaseEvents(ClusterConnection connection, String namespace, String instance, Clock clock) {
    this(connection, namespace, instance, clock, TIME_LIMIT);
  }

  LeaseEvents(
      ClusterConnection connection,
      String namespace,
      String instance,
      Clock clock,
      Duration timeLimit) {
    this.api =
        new KubeApi(
            connection.withTimeBudget(connection.timeBudget().within(timeLimit, "writing Events")));
    this.namespace = namespace;
    this.instance = cut(instance, INSTANCE);
    this.clock = clock;
  }

  /// Writes Events concurrently, and stops after the first failure, because the others would fail,
  /// too.
  @Override
  public Optional<String> publish(List<PolicyEvent> events) {
    if (events.isEmpty()) {
      return Optional.empty();
    }
    var failure = new AtomicReference<Optional<String>>(Optional.empty());
    try (var threads = Parallel.threads(Math.min(AT_ONCE, events.size()))) {
      for (var event : events) {
        threads.execute(() -> {
          if (failure.get().isEmpty()) {
            publish(event).ifPresent(reason -> failure.set(Optional.of(reason)));
          }
        });
      }
    }
    return failure.get();
  }

  private Optional<String> publish(PolicyEvent event) {
    try {
      return write(event);
    } catch (ClusterUnavailable e) {
      return Optional.of(e.failure().reason());
    }
  }

  private Optional<String> write(PolicyEvent event) {
    var name = name(event);
    if (event.reason().lasts()) {
      var there = api.get(url(name), KubeApi.JSON);
      if (there.ok()) {
        return isRecent(there.body()) ? Optional.empty() : incrementCount(name, there.body());
      }
    }
    var created =
        api.send(
            "POST",
            events().build(),
            KubeApi.JSON_BODY,
            CanonicalJson.write(json(event, name)),
            KubeApi.JSON);
    return created.status() == CONFLICT ? incrementExisting(name) : refusal("create", created);
  }

  private Optional<String> incrementExisting(String name) {
    var there = api.get(url(name), KubeApi.JSON);
    return there.ok() ? incrementCount(name, there.body()) : refusal("get", there);
  }

  private Optional<String> incrementCount(String name, Value.Mapping there) {
    var series =
        Value.Mapping.EMPTY
            .with("count", Value.Numeric.of(times(there) + 1))
            .with("lastObservedTime", LeaseLock.now(clock));
    var counted = CanonicalJson.write(Value.Mapping.EMPTY.with("series", series));
    return refusal(
        "patch", api.send("PATCH", url(name), KubeApi.MERGE_PATCH, counted, KubeApi.JSON));
  }

  /// Returns whether the Event was written within the last hour. Its time may be in the future,
  /// from a clock that was ahead.
  private boolean isRecent(Value.Mapping event) {
    var last =
        event
            .mapping("series")
            .text("lastObservedTime")
            .or(() -> event.text("eventTime"))
            .flatMap(LeaseEvents::time);
    return last.isPresent()
        && Duration.between(last.get(), clock.instant()).abs().compareTo(AGAIN_AFTER) < 0;
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  private static long times(Value.Mapping event) {
    return event.mapping("series").fields().get("count") instanceof Value.Numeric(var count)
        ? Long.parseLong(count)
        : 1;
  }

  private Optional<String> refusal(String verb, ApiResponse apiResponse) {
    if (apiResponse.ok()) {
      return Optional.empty();
    }
    return Optional.of(
        ApiErrorClassifier.permissionMissing(apiResponse)
            ? verb
                + " an Event: HTTP 403"
                + MissingPermission.onEvents(apiResponse.message(), namespace)
            : ApiErrorClassifier.classify(verb + " an Event in namespace " + namespace, apiResponse)
                .reason());
  }

  private Value.Mapping json(PolicyEvent event, String name) {
    var metadata = Value.Mapping.EMPTY.with("name", name).with("namespace", namespace);
    var json =
        Value.Mapping.EMPTY
            .with("apiVersion", "events.k8s.io/v1")
            .with("kind", "Event")
            .with("metadata", metadata)
            .with("eventTime", LeaseLock.now(clock))
            .with("reportingController", CONTROLLER)
            .with("reportingInstance", instance)
            .with("action", event.reason().action())
            .with("reason", event.reason().toString())
            .with("type", event.reason().warning() ? "Warning" : "Normal")
            .with(
                "regarding",
                reference("coordination.k8s.io/v1", "Lease", LeaseLock.NAME, namespace))
            .with("note", cut(event.note(), NOTE));
    return event.policy().map(policy -> json.with("related", reference(policy))).orElse(json);
  }

  private static Value.Mapping reference(PolicyId policy) {
    var kind = policy.kind();
    return reference(
        kind.group() + "/" + kind.versions().getFirst(),
        kind.kind(),
        policy.name(),
        policy.namespace().orElse(""));
  }

  private static Value.Mapping reference(
      String apiVersion, String kind, String name, String namespace) {
    var reference =
        Value.Mapping.EMPTY.with("apiVersion", apiVersion).with("kind", kind).with("name", name);
    return namespace.isEmpty() ? reference : reference.with("namespace", namespace);
  }

  /// Returns the Event's name: equal Events have the same name.
  private static String name(PolicyEvent event) {
    try {
      var said =
          event.reason().name() + "\n" + event.policy().map(PolicyId::key) + "\n" + event.note();
      var digest = MessageDigest.getInstance("SHA-256").digest(said.getBytes(UTF_8));
      return LeaseLock.NAME + "." + HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is not available", e);
    }
  }

  private static String cut(String text, int bytes) {
    var whole = text.getBytes(UTF_8);
    if (whole.length <= bytes) {
      return text;
    }
    var end = bytes - "…".getBytes(UTF_8).length;
    while ((whole[end] & 0xC0) == 0x80) {
      end--;
    }
    return new String(whole, 0, end, UTF_8) + "…";
  }

  private HttpUrl url(String name) {
    return events().addPathSegment(name).build();
  }

  private HttpUrl.Builder events() {
    return api.url(List.of("apis", "events.k8s.io", "v1", "namespaces", namespace, "events"));
  }
}
