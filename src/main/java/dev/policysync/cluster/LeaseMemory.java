package dev.policysync.cluster;

import dev.policysync.ownership.FieldOwnership;
import dev.policysync.plan.Approval;
import dev.policysync.plan.Failure;
import dev.policysync.policy.Digest;
import dev.policysync.sync.ClusterUnavailable;
import dev.policysync.sync.Memory;
import dev.policysync.sync.RunMemory;
import dev.policysync.yaml.CanonicalJson;
import dev.policysync.yaml.Value;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import okhttp3.HttpUrl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What runs leave for each other, as annotations on the Lease that they share:
/// `policysync.dev/memory` is the agent's own, `policysync.dev/approve-removals` a person's.
///
/// Every change replaces the whole Lease at the resourceVersion that was read, so no note and no
/// renewal of a holder is ever overwritten; and no permission is needed beyond those of the lock.
public final class LeaseMemory implements RunMemory {
  /// What runs note, as JSON.
  public static final String MEMORY = "policysync.dev/memory";

  /// The digest of a list of removals that a person approves.
  public static final String APPROVAL = "policysync.dev/approve-removals";

  private static final String VERSION = "coordination.k8s.io/v1";

  /// A field that stays, or the record of who writes the Lease ends with its last annotation.
  private static final Value.Mapping NEVER_HELD =
      Value.Mapping.EMPTY.with("leaseTransitions", new Value.Numeric("0"));

  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  /// A holder renews once in 15 s and other runs note something twice: more conflicts in a row than
  /// that mean something else.
  private static final int ATTEMPTS = 8;

  private static final Logger LOG = LoggerFactory.getLogger(LeaseMemory.class);

  private final KubeApi api;
  private final String namespace;
  private final Optional<String> context;

  /// The memory on the Lease of that namespace.
  ///
  /// @param context of the kubeconfig, for commands that a person is told; the current one if empty
  public LeaseMemory(ClusterConnection connection, String namespace, Optional<String> context) {
    this.api = new KubeApi(connection);
    this.namespace = namespace;
    this.context = context;
  }

  @Override
  public Recalled recall() {
    var lease = read();
    return lease.ok() ? new Recalled(memory(lease), approval(lease)) : Recalled.NOTHING;
  }

  @Override
  public void update(UnaryOperator<Memory> change) {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var lease = read();
      var before = lease.ok() ? memory(lease) : Memory.NONE;
      var after = change.apply(before);
      if (after.equals(before)) {
        return;
      }
      var text = MemoryJson.write(after);
      var answer = lease.ok() ? replace(lease, MEMORY, text) : create(text);
      if (answer.status() != CONFLICT) {
        requireOk(answer, "note on");
        return;
      }
    }
    throw keepsChanging();
  }

  @Override
  public boolean use(Approval approval) {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var lease = read();
      if (!annotation(lease, APPROVAL).equals(Optional.of(approval.list()))) {
        return false;
      }
      var answer = replace(lease, APPROVAL, Optional.empty());
      if (answer.status() != CONFLICT) {
        requireOk(answer, "use the approval on");
        LOG.atInfo().addKeyValue("list", approval.list()).log("Approval of removals used");
        return true;
      }
    }
    throw keepsChanging();
  }

  @Override
  public String commandToApprove(Digest list) {
    return "kubectl annotate lease "
        + LeaseLock.NAME
        + context.map(name -> " --context=" + shellWord(name)).orElse("")
        + " --namespace="
        + shellWord(namespace)
        + " --overwrite "
        + APPROVAL
        + "="
        + list;
  }

  /// As a shell has to be given it.
  private static String shellWord(String text) {
    return text.matches("[A-Za-z0-9._/:@%+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  private KubeApi.Answer read() {
    var answer = api.get(url(), KubeApi.JSON);
    if (!answer.ok() && answer.status() != NOT_FOUND) {
      throw unavailable("read", answer);
    }
    return answer;
  }

  private KubeApi.Answer create(Optional<String> memory) {
    var metadata =
        Value.Mapping.EMPTY
            .with("name", new Value.Text(LeaseLock.NAME))
            .with("namespace", new Value.Text(namespace));
    var lease =
        Value.Mapping.EMPTY
            .with("apiVersion", new Value.Text(VERSION))
            .with("kind", new Value.Text("Lease"))
            .with("metadata", annotated(metadata, MEMORY, memory))
            .with("spec", NEVER_HELD);
    return send("POST", leases().build(), lease);
  }

  private KubeApi.Answer replace(KubeApi.Answer read, String annotation, Optional<String> value) {
    var lease = read.body();
    var metadata = annotated(lease.mapping("metadata"), annotation, value);
    return send("PUT", url(), lease.with("metadata", recorded(metadata)));
  }

  /// The API server keeps no record of who writes an object that has none, and an approval's age is
  /// read from that record. One entry starts it again.
  private static Value.Mapping recorded(Value.Mapping metadata) {
    if (!metadata.items("managedFields").isEmpty()) {
      return metadata;
    }
    var ours =
        Value.Mapping.EMPTY
            .with("manager", new Value.Text(FieldOwnership.MANAGER))
            .with("operation", new Value.Text("Update"))
            .with("apiVersion", new Value.Text(VERSION))
            .with("fieldsType", new Value.Text("FieldsV1"))
            .with(
                "fieldsV1",
                Value.Mapping.EMPTY.with(
                    "f:spec", Value.Mapping.EMPTY.with("f:leaseTransitions", Value.Mapping.EMPTY)));
    return metadata.with("managedFields", new Value.Sequence(List.of(ours)));
  }

  private KubeApi.Answer send(String method, HttpUrl url, Value.Mapping lease) {
    var target = url.newBuilder().addQueryParameter("fieldManager", FieldOwnership.MANAGER).build();
    return api.send(
        method, target, KubeApi.JSON_BODY, CanonicalJson.write(lease), KubeApi.METADATA);
  }

  private static Value.Mapping annotated(
      Value.Mapping metadata, String name, Optional<String> value) {
    var annotations = metadata.mapping("annotations");
    return metadata.with(
        "annotations",
        value
            .map(text -> annotations.with(name, new Value.Text(text)))
            .orElseGet(() -> annotations.without(name)));
  }

  private static Memory memory(KubeApi.Answer lease) {
    return annotation(lease, MEMORY).map(MemoryJson::read).orElse(Memory.NONE);
  }

  private static Optional<Approval> approval(KubeApi.Answer lease) {
    return annotation(lease, APPROVAL).map(list -> new Approval(list, age(lease)));
  }

  private static Optional<String> annotation(KubeApi.Answer lease, String name) {
    return lease.body().mapping("metadata").mapping("annotations").text(name);
  }

  /// How long ago the approval was written, by the API server's clock at both ends: managed fields
  /// record when their owner wrote last. Of several owners the one who wrote first counts.
  private static Optional<Duration> age(KubeApi.Answer lease) {
    return lease.body().mapping("metadata").items("managedFields").stream()
        .filter(LeaseMemory::ownsApproval)
        .map(entry -> time((Value.Mapping) entry))
        .reduce((one, other) -> one.flatMap(a -> other.map(b -> a.isBefore(b) ? a : b)))
        .flatMap(given -> given)
        .flatMap(given -> lease.date().map(now -> Duration.between(given, now)));
  }

  private static boolean ownsApproval(Value entry) {
    return entry instanceof Value.Mapping mapping
        && mapping
            .mapping("fieldsV1")
            .mapping("f:metadata")
            .mapping("f:annotations")
            .field("f:" + APPROVAL)
            .isPresent();
  }

  private static Optional<Instant> time(Value.Mapping entry) {
    try {
      return entry.text("time").map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private void requireOk(KubeApi.Answer answer, String what) {
    if (!answer.ok()) {
      throw unavailable(what, answer);
    }
  }

  private ClusterUnavailable unavailable(String what, KubeApi.Answer answer) {
    var tried = what + " the Lease " + name();
    return new ClusterUnavailable(
        answer.status() == FORBIDDEN
            ? new Failure(
                Failure.Cause.FORBIDDEN,
                tried + ": HTTP 403" + MissingPermission.onLease(namespace))
            : Refusal.of(tried, answer));
  }

  private ClusterUnavailable keepsChanging() {
    return new ClusterUnavailable(
        new Failure(
            Failure.Cause.CONFLICT,
            "note on the Lease " + name() + ": somebody else writes it again and again"));
  }

  private String name() {
    return namespace + "/" + LeaseLock.NAME;
  }

  private HttpUrl url() {
    return leases().addPathSegment(LeaseLock.NAME).build();
  }

  private HttpUrl.Builder leases() {
    return api.url(List.of("apis", "coordination.k8s.io", "v1", "namespaces", namespace, "leases"));
  }
}
