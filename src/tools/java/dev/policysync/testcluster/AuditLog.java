package dev.policysync.testcluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Value;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;

/// The requests that the API server has answered, from its own audit log: the proof that a run
/// wrote what it should and nothing else.
///
/// A log sees what comes after it was made.
public final class AuditLog {
  /// Every answered request by its metadata. Removals with their body too, because there alone
  /// stands whether one was meant, and writes of Leases, because there stands who is to hold it.
  static final String POLICY =
      """
      {"apiVersion": "audit.k8s.io/v1", "kind": "Policy",
       "omitStages": ["RequestReceived", "ResponseStarted"],
       "rules": [{"level": "Request", "verbs": ["delete"]},
                 {"level": "Request", "verbs": ["create", "update", "patch"],
                  "resources": [{"group": "coordination.k8s.io", "resources": ["leases"]}]},
                 {"level": "Metadata"}]}
      """;

  private static final Set<String> READING = Set.of("get", "list", "watch");
  private static final String MARKER = "marker=";
  private static final String KYVERNO = "system:serviceaccount:kyverno:";

  private final Path file;
  private final RawApi admin;
  private final long begin;

  AuditLog(Path file, RawApi admin) {
    this.file = file;
    this.admin = admin;
    var soFar = file.toFile().length();
    this.begin = soFar + upToNow(soFar).getBytes(UTF_8).length;
  }

  /// One answered request.
  ///
  /// @param user who asked: `admin`, `system:serviceaccount:shop:agent`
  /// @param verb `get`, `list`, `create`, `patch`, `update`, `delete`; other requests have the
  ///   method in lower case
  /// @param resource `clusterpolicies.kyverno.io`, or `leases.coordination.k8s.io/status` with a
  ///   subresource; empty for discovery and health
  /// @param namespace empty where there is none
  /// @param name empty for a list
  /// @param dryRun whether nothing was to be persisted
  /// @param userAgent what the client calls itself
  /// @param status of the answer: 200
  public record Entry(
      String user,
      String verb,
      String resource,
      String namespace,
      String name,
      boolean dryRun,
      String userAgent,
      int status) {
    /// Whether it could have changed anything.
    public boolean write() {
      return !READING.contains(verb) && !dryRun;
    }
  }

  /// A request as more than its metadata.
  ///
  /// @param received when the API server got it, by its own clock
  /// @param leaseHolder what the body of a Lease's write says of its holder; empty where nobody is
  ///   to hold it any more, and for all other requests
  public record Event(Entry entry, Instant received, Optional<String> leaseHolder) {}

  /// All requests since this log was made, but for those of the API server itself and of Kyverno,
  /// in the order in which they were answered.
  public List<Entry> entries() {
    return events().stream().map(Event::entry).toList();
  }

  /// The same requests with what else is known of them.
  public List<Event> events() {
    var events = new ArrayList<Event>();
    for (var line : upToNow(begin).lines().toList()) {
      var event = Documents.json(line);
      var user = event.mapping("user").text("username").orElse("");
      if (!user.equals("system:apiserver") && !user.startsWith(KYVERNO) && !line.contains(MARKER)) {
        events.add(event(user, event));
      }
    }
    return events;
  }

  /// Those of them that may have changed something.
  public List<Entry> writes() {
    return entries().stream().filter(Entry::write).toList();
  }

  /// The log from that byte on, as far as requests of before this call reach: a line is written as
  /// its request ends, so one more request is made and waited for.
  private String upToNow(long from) {
    var marker = MARKER + UUID.randomUUID();
    admin.get("/version?" + marker).ok();
    return Awaitility.await("the audit log to have the line of " + marker)
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> content(from), text -> text.contains(marker) && text.endsWith("\n"));
  }

  private String content(long from) throws IOException {
    try (var log = Files.newByteChannel(file)) {
      var bytes = ByteBuffer.allocate((int) (log.size() - from));
      log.position(from);
      while (bytes.hasRemaining() && log.read(bytes) >= 0) {}
      return new String(bytes.array(), 0, bytes.position(), UTF_8);
    }
  }

  private static Event event(String user, Value.Mapping event) {
    return new Event(
        entry(user, event),
        Instant.parse(event.text("requestReceivedTimestamp").orElseThrow()),
        event
            .mapping("requestObject")
            .mapping("spec")
            .text("holderIdentity")
            .filter(name -> !name.isEmpty()));
  }

  private static Entry entry(String user, Value.Mapping event) {
    var object = event.mapping("objectRef");
    var group = object.text("apiGroup").map(name -> "." + name).orElse("");
    var subresource = object.text("subresource").map(name -> "/" + name).orElse("");
    return new Entry(
        user,
        event.text("verb").orElse(""),
        object.text("resource").map(name -> name + group + subresource).orElse(""),
        object.text("namespace").orElse(""),
        object.text("name").orElse(""),
        event.text("requestURI").orElse("").contains("dryRun=All")
            || !event.mapping("requestObject").items("dryRun").isEmpty(),
        event.text("userAgent").orElse(""),
        status(event.mapping("responseStatus")));
  }

  private static int status(Value.Mapping response) {
    return response.field("code").orElse(Value.Null.NULL) instanceof Value.Numeric(var code)
        ? Integer.parseInt(code)
        : 0;
  }
}
