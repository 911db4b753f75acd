package dev.policysync.statemachine;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// The agent's Lease as people see and annotate it.
final class Lease {
  static final String APPROVAL = "policysync.dev/approve-removals";
  private static final String MEMORY = "policysync.dev/memory";

  private final RawApi admin;
  private final String path;

  Lease(RawApi admin, String namespace) {
    this.admin = admin;
    this.path =
        "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases/kyverno-policy-sync-lock";
  }

  /// The object; without fields where there is none.
  Value.Mapping read() {
    var reply = admin.get(path);
    return reply.status() == 404 ? Value.Mapping.EMPTY : reply.ok();
  }

  String holder() {
    return read().mapping("spec").text("holderIdentity").orElse("");
  }

  /// Which list of removals somebody approved.
  Optional<String> approval() {
    return annotation(APPROVAL);
  }

  /// What runs left for the next one.
  String memory() {
    return annotation(MEMORY).orElse("");
  }

  /// The statuses among it that the API of that source did not take.
  List<Value> unsent(String source) {
    return memory().isEmpty()
        ? List.of()
        : Documents.json(memory()).items("statuses").stream()
            .map(Value.Mapping.class::cast)
            .filter(backlog -> backlog.text("source").equals(Optional.of(source)))
            .flatMap(backlog -> backlog.items("unsent").stream())
            .toList();
  }

  /// Makes a part of it unreadable, or all of it.
  ///
  /// @return what; empty where there is none
  Optional<String> spoilMemory(Random random) {
    var memory = memory();
    if (memory.isEmpty()) {
      return Optional.empty();
    }
    if (random.nextInt(4) == 0 || !memory.startsWith("{")) {
      write("oops");
      return Optional.of("all of it");
    }
    var fields = Documents.json(memory);
    var field = RandomChoices.one(random, List.copyOf(fields.fields().keySet()));
    write(CanonicalJson.write(fields.with(field, "oops")));
    return Optional.of(field);
  }

  private void write(String memory) {
    annotate(MEMORY, CanonicalJson.write(new Value.Text(memory)));
  }

  /// As the command does that the agent prints.
  void approve(String list) {
    annotate(APPROVAL, "'" + list + "'");
  }

  void withdrawApproval() {
    annotate(APPROVAL, "null");
  }

  void annotate(String name, String yaml) {
    var patch = "{metadata: {annotations: {" + name + ": " + yaml + "}}}";
    var reply = admin.merge(path + "?fieldManager=kubectl-annotate", Documents.yaml(patch));
    if (reply.status() != 404) {
      reply.ok();
    }
  }

  /// Lets everything on it look as if it had been written that long ago. The API server takes other
  /// times only together with another change.
  void backdate(Duration age) {
    var lease = read();
    if (lease.fields().isEmpty()) {
      return;
    }
    var then = Instant.now().minus(age).truncatedTo(ChronoUnit.SECONDS).toString();
    List<Value> entries =
        lease.mapping("metadata").items("managedFields").stream()
            .<Value>map(entry -> ((Value.Mapping) entry).with("time", then))
            .toList();
    var metadata = lease.mapping("metadata");
    var annotations = metadata.mapping("annotations").with("people.example/backdated", then);
    var backdated =
        metadata
            .with("annotations", annotations)
            .with("managedFields", new Value.Sequence(entries));
    admin.put(path, lease.with("metadata", backdated)).ok();
  }

  private Optional<String> annotation(String name) {
    return read().mapping("metadata").mapping("annotations").text(name);
  }
}
