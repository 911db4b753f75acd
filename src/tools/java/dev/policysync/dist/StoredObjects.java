package dev.policysync.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.common.Urls;
import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.Request;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// As much of an API server as a run meets where all goes well: every kind of ours is served,
/// objects are kept by their paths, and an apply makes its manager the owner of each field in it.
/// It judges nothing; that is what the real one in `testcluster` is for.
final class StoredObjects implements ResponseDefinitionTransformerV2 {
  static final String NAME = "stored-objects";
  private static final List<Value> COLUMNS =
      List.of(object("name", text("NAME")), object("name", text("READY")));

  private static final String LONG_AGO = "2026-01-01T00:00:00Z";

  private static final String REPORTS =
      "/apis/wgpolicyk8s.io/v1alpha2/namespaces/shop/policyreports/";

  /// By it a run sees that Kyverno is running.
  private static final String KYVERNO_HEALTH =
      "/apis/coordination.k8s.io/v1/namespaces/kyverno/leases/kyverno-health";

  private final Map<String, Value.Mapping> objects = new TreeMap<>();
  private final AtomicInteger revision = new AtomicInteger(1);

  StoredObjects() {
    objects.put(
        KYVERNO_HEALTH,
        object(
            "metadata",
            object(
                "namespace",
                text("kyverno"),
                "name",
                text("kyverno-health"),
                "annotations",
                object("kyverno.io/last-request-time", text("2100-01-01T00:00:00Z")))));
  }

  @Override
  public String getName() {
    return NAME;
  }

  @Override
  public boolean applyGlobally() {
    return false;
  }

  @Override
  public synchronized ResponseDefinition transform(ServeEvent event) {
    var request = event.getRequest();
    var path = URI.create(request.getUrl()).getPath();
    return switch (request.getMethod().getName()) {
      case "GET" -> path.equals("/apis") ? answer(200, discovery()) : read(path, request);
      case "DELETE" -> found(objects.remove(path));
      case "POST" -> {
        var object = Documents.json(request.getBodyAsString());
        var name = object.mapping("metadata").text("name").orElse("");
        yield answer(201, store(path + "/" + name, object, request));
      }
      default -> answer(200, store(path, Documents.json(request.getBodyAsString()), request));
    };
  }

  /// Drops the objects whose paths contain that.
  synchronized void forget(String part) {
    objects.keySet().removeIf(path -> path.contains(part));
  }

  /// Adds a report, as Kyverno would.
  synchronized void put(Value.Mapping report) {
    var metadata = report.mapping("metadata");
    objects.put(
        REPORTS + metadata.text("name").orElseThrow(),
        report.with("metadata", metadata.with("managedFields", new Value.Sequence(List.of()))));
  }

  private ResponseDefinition read(String path, Request request) {
    var accept = request.getHeader("Accept");
    var parts = path.split("/", -1);
    if (parts.length != 5) {
      return found(objects.get(path));
    }
    var apiVersion = parts[2] + "/" + parts[3];
    var stored =
        objects.entrySet().stream()
            .filter(object -> object.getKey().startsWith("/apis/" + apiVersion + "/"))
            .filter(object -> object.getKey().contains("/" + parts[4] + "/"))
            .map(Map.Entry::getValue);
    if (!accept.contains("as=PartialObjectMetadataList")) {
      return answer(
          200,
          object(
              "kind",
              text("List"),
              "metadata",
              object("resourceVersion", text(revision.toString())),
              "items",
              new Value.Sequence(stored.map(object -> (Value) object).toList())));
    }
    var items = stored.map(object -> (Value) object.without("spec")).toList();
    var table = accept.contains("as=Table");
    return answer(
        200,
        object(
            "apiVersion",
            text("meta.k8s.io/v1"),
            "kind",
            text(table ? "Table" : "PartialObjectMetadataList"),
            "metadata",
            object("resourceVersion", text(revision.toString())),
            "columnDefinitions",
            new Value.Sequence(table ? COLUMNS : List.of()),
            table ? "rows" : "items",
            new Value.Sequence(table ? items.stream().map(StoredObjects::row).toList() : items)));
  }

  /// Some are ready and some are yet to be.
  private static Value row(Value object) {
    var ready = text(object.hashCode() % 2 == 0 ? "True" : "False");
    return object("cells", new Value.Sequence(List.of(text("x"), ready)), "object", object);
  }

  private Value.Mapping store(String path, Value.Mapping object, Request request) {
    var metadata = object.mapping("metadata");
    var stored =
        object.with(
            "metadata",
            metadata
                .with("uid", text(UUID.nameUUIDFromBytes(path.getBytes(UTF_8)).toString()))
                .with("resourceVersion", text(Integer.toString(revision.incrementAndGet())))
                .with("creationTimestamp", text(LONG_AGO))
                .with("generation", new Value.Numeric("1"))
                .with("managedFields", new Value.Sequence(List.of(owner(object, request)))));
    if (!Urls.splitQuery(URI.create(request.getUrl())).containsKey("dryRun")) {
      objects.put(path, stored);
    }
    return stored;
  }

  /// Kyverno knows all exceptions, and is given time to be ready for policies.
  private static String time(Value.Mapping object) {
    return object.text("kind").orElse("").equals("PolicyException")
        ? LONG_AGO
        : Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static Value owner(Value.Mapping object, Request request) {
    var metadata = object.mapping("metadata");
    for (var own : List.of("name", "namespace", "uid", "resourceVersion", "managedFields")) {
      metadata = metadata.without(own);
    }
    var owned = object.without("apiVersion").without("kind").with("metadata", metadata);
    return object(
        "manager", text("kyverno-policy-sync"),
        "operation", text(request.getMethod().getName().equals("PATCH") ? "Apply" : "Update"),
        "apiVersion", text(object.text("apiVersion").orElse("")),
        "time", text(time(object)),
        "fieldsType", text("FieldsV1"),
        "fieldsV1", fields(owned));
  }

  /// Lists whose items have names are maps, as the variables of admission policies are; those of
  /// texts are sets, and all others one field.
  private static Value.Mapping fields(Value value) {
    return switch (value) {
      case Value.Mapping(var fields) ->
          new Value.Mapping(
              fields.entrySet().stream()
                  .collect(
                      Collectors.toMap(
                          field -> "f:" + field.getKey(), field -> fields(field.getValue()))));
      case Value.Sequence(var items) when items.stream().allMatch(item -> !name(item).isEmpty()) ->
          new Value.Mapping(
              items.stream()
                  .collect(
                      Collectors.toMap(
                          item -> "k:" + CanonicalJson.write(object("name", text(name(item)))),
                          item -> fields(item).with(".", Value.Mapping.EMPTY))));
      case Value.Sequence(var items) when items.stream().allMatch(Value.Text.class::isInstance) ->
          new Value.Mapping(
              items.stream()
                  .collect(
                      Collectors.toMap(
                          item -> "v:" + CanonicalJson.write(item),
                          _ -> Value.Mapping.EMPTY,
                          (item, _) -> item)));
      default -> Value.Mapping.EMPTY;
    };
  }

  private static String name(Value item) {
    return item instanceof Value.Mapping mapping ? mapping.text("name").orElse("") : "";
  }

  private static Value.Mapping discovery() {
    var groups =
        PolicyKind.all().stream()
            .collect(Collectors.groupingBy(PolicyKind::group))
            .entrySet()
            .stream()
            .map(group -> (Value) group(group.getKey(), group.getValue()))
            .collect(Collectors.toCollection(ArrayList::new));
    groups.add(
        object(
            "metadata",
            object("name", text("wgpolicyk8s.io")),
            "versions",
            new Value.Sequence(
                List.of(
                    version(
                        "v1alpha2", List.of(resource("policyreports", "PolicyReport", true)))))));
    return object(
        "kind",
        text("APIGroupDiscoveryList"),
        "apiVersion",
        text("apidiscovery.k8s.io/v2"),
        "metadata",
        Value.Mapping.EMPTY,
        "items",
        new Value.Sequence(groups));
  }

  private static Value.Mapping group(String name, List<PolicyKind> kinds) {
    var versions =
        kinds.stream()
            .collect(Collectors.groupingBy(kind -> kind.versions().getFirst()))
            .entrySet()
            .stream()
            .map(version ->
                version(
                    version.getKey(),
                    version.getValue().stream().map(StoredObjects::resource).toList()))
            .toList();
    return object("metadata", object("name", text(name)), "versions", new Value.Sequence(versions));
  }

  private static Value version(String name, List<Value> resources) {
    return object(
        "version", text(name),
        "freshness", text("Current"),
        "resources", new Value.Sequence(resources));
  }

  private static Value resource(PolicyKind kind) {
    return resource(kind.plural(), kind.kind(), kind.namespaced());
  }

  private static Value resource(String plural, String kind, boolean namespaced) {
    return object(
        "resource", text(plural),
        "responseKind", object("kind", text(kind)),
        "scope", text(namespaced ? "Namespaced" : "Cluster"));
  }

  private static ResponseDefinition found(Value.@Nullable Mapping object) {
    return object != null
        ? answer(200, object)
        : answer(404, object("kind", text("Status"), "reason", text("NotFound")));
  }

  private static ResponseDefinition answer(int status, Value.Mapping body) {
    return new ResponseDefinitionBuilder()
        .withStatus(status)
        .withHeader("Content-Type", "application/json")
        .withHeader("Date", "Thu, 01 Jan 2026 00:00:00 GMT")
        .withBody(CanonicalJson.write(body))
        .build();
  }

  private static Value text(String text) {
    return new Value.Text(text);
  }

  /// An object of names and values in turn.
  private static Value.Mapping object(Object... fields) {
    var object = Value.Mapping.EMPTY;
    for (int i = 0; i < fields.length; i += 2) {
      object = object.with((String) fields[i], (Value) fields[i + 1]);
    }
    return object;
  }
}
