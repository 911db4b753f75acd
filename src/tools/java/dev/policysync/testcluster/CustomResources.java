package dev.policysync.testcluster;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/// Installs custom resource definitions, by server-side apply: client-side apply would put each one
/// into an annotation, which is too small for them.
final class CustomResources {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  /// More at once only wait for one another in the API server.
  private static final int AT_ONCE = 4;

  private final RawApi admin;

  CustomResources(RawApi admin) {
    this.admin = admin;
  }

  /// Installs them and waits until every one is served.
  ///
  /// @param files named by their content: `kyverno.io_clusterpolicies.yaml`
  void install(List<Path> files) {
    var pending = new ArrayList<Future<RawApi.Reply>>();
    try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
      files.forEach(file -> pending.add(threads.submit(() -> install(file))));
    }
    var wanted = new HashSet<String>();
    for (int i = 0; i < files.size(); i++) {
      reply(pending.get(i), files.get(i)).ok();
      wanted.add(name(files.get(i)));
    }
    awaitServed(wanted);
  }

  /// Installs one that is no file's and waits until it is served.
  void install(String definition) {
    var name = Documents.yaml(definition).mapping("metadata").text("name").orElseThrow();
    apply(name, definition).ok();
    awaitServed(Set.of(name));
  }

  private void awaitServed(Set<String> wanted) {
    Awaitility.await("the API server to serve " + wanted)
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> served().containsAll(wanted));
    Awaitility.await("the API server to list " + wanted)
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> listable(wanted));
  }

  /// Whether lists are answered. At first the API server says 429, `storage is (re)initializing`.
  private boolean listable(Set<String> names) {
    var discovered = discovered();
    return names.stream()
        .allMatch(name -> {
          var parts = name.split("\\.", 2);
          return discovered.getOrDefault(name, Set.of()).stream()
              .map(version -> "/apis/" + parts[1] + "/" + version + "/" + parts[0] + "?limit=1")
              .allMatch(list -> admin.get(list).status() == 200);
        });
  }

  /// Removes one and waits until its kind is gone from discovery.
  ///
  /// @param name `clusterpolicies.kyverno.io`
  void remove(String name) {
    admin.delete(DEFINITIONS + "/" + name).ok();
    Awaitility.await("the API server to forget " + name)
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> !served().contains(name));
  }

  /// Makes one served in these versions and no others, and waits until discovery says so.
  ///
  /// @param name `clusterpolicies.kyverno.io`
  void serve(String name, Set<String> versions) {
    var path = DEFINITIONS + "/" + name;
    var all = objects(admin.get(path).ok().mapping("spec"), "versions");
    var flags =
        IntStream.range(0, all.size())
            .mapToObj(i -> flag(i, versions.contains(all.get(i).text("name").orElse(""))))
            .toList();
    admin.jsonPatch(path, "[" + String.join(", ", flags) + "]").ok();
    Awaitility.await("the API server to serve " + name + " as " + versions)
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> servedVersions(name).equals(versions));
  }

  /// Ends all versions of one but that, as its upgrades do in the end: that one becomes the stored
  /// one, every object is rewritten at it, and the others are taken out of the definition.
  ///
  /// @param name `clusterpolicies.kyverno.io`
  void keepOnly(String name, String version) {
    var path = DEFINITIONS + "/" + name;
    var all = objects(admin.get(path).ok().mapping("spec"), "versions");
    var stored =
        all.stream()
            .map(each -> each.with("storage", new Value.Bool(isNamed(each, version))))
            .toList();
    replaceVersions(path, stored);
    if (all.stream().anyMatch(each -> isStored(each) && !isNamed(each, version))) {
      // Meanwhile the API server answers 429 now and then, `storage is (re)initializing`.
      var rewritten = new HashSet<String>();
      Awaitility.await("every object of " + name + " to be rewritten")
          .atMost(TimeLimits.WAIT)
          .pollDelay(Duration.ZERO)
          .untilAsserted(() -> rewrite(name, version, rewritten));
    }
    admin
        .merge(path + "/status", Documents.yaml("{status: {storedVersions: [" + version + "]}}"))
        .ok();
    replaceVersions(path, stored.stream().filter(each -> isNamed(each, version)).toList());
    Awaitility.await("the API server to know " + name + " as " + version + " alone")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> servedVersions(name).equals(Set.of(version)) && listable(Set.of(name)));
  }

  private void replaceVersions(String definition, List<Value.Mapping> versions) {
    var operations =
        "[{\"op\": \"replace\", \"path\": \"/spec/versions\", \"value\": %s}]"
            .formatted(CanonicalJson.write(new Value.Sequence(List.copyOf(versions))));
    admin.jsonPatch(definition, operations).ok();
  }

  private static boolean isNamed(Value.Mapping version, String name) {
    return version.text("name").orElse("").equals(name);
  }

  private static boolean isStored(Value.Mapping version) {
    return version.field("storage").filter(new Value.Bool(true)::equals).isPresent();
  }

  /// Stores every object at another version than it was. The API server learns a moment later what
  /// its definition says; until then it takes the very same object for no change, and one that is
  /// left at a version that is gone keeps all of its kind from being read.
  private void rewrite(String name, String version, Set<String> rewritten) {
    var parts = name.split("\\.", 2);
    var collection = "/apis/" + parts[1] + "/" + version + "/";
    for (var object : objects(admin.get(collection + parts[0]).ok(), "items")) {
      var metadata = object.mapping("metadata");
      var in = metadata.text("namespace").map(each -> "namespaces/" + each + "/").orElse("");
      var path = collection + in + parts[0] + "/" + metadata.text("name").orElseThrow();
      if (!rewritten.contains(path)) {
        var before = admin.get(path).ok();
        if (resourceVersion(admin.put(path, before).ok()).equals(resourceVersion(before))) {
          throw new AssertionError(path + " is not yet stored at " + version);
        }
        rewritten.add(path);
      }
    }
  }

  private static String resourceVersion(Value.Mapping object) {
    return object.mapping("metadata").text("resourceVersion").orElse("");
  }

  private static String flag(int version, boolean served) {
    return "{\"op\": \"replace\", \"path\": \"/spec/versions/%d/served\", \"value\": %b}"
        .formatted(version, served);
  }

  private RawApi.Reply install(Path file) throws IOException {
    return apply(name(file), Files.readString(file));
  }

  private RawApi.Reply apply(String name, String definition) {
    return admin.apply(DEFINITIONS + "/" + name + "?fieldManager=test&force=true", definition);
  }

  /// Every resource that aggregated discovery knows, `clusterpolicies.kyverno.io`, with its
  /// versions.
  private Map<String, Set<String>> discovered() {
    var discovered = new HashMap<String, Set<String>>();
    for (var group : objects(admin.discovery().ok(), "items")) {
      var name = group.mapping("metadata").text("name").orElse("");
      for (var version : objects(group, "versions")) {
        for (var resource : objects(version, "resources")) {
          discovered
              .computeIfAbsent(
                  resource.text("resource").orElse("") + "." + name, _ -> new HashSet<>())
              .add(version.text("version").orElse(""));
        }
      }
    }
    return discovered;
  }

  private Set<String> served() {
    return discovered().keySet();
  }

  private Set<String> servedVersions(String name) {
    return discovered().getOrDefault(name, Set.of());
  }

  private static List<Value.Mapping> objects(Value.Mapping parent, String field) {
    return parent.items(field).stream().map(Value.Mapping.class::cast).toList();
  }

  private static String name(Path file) {
    var words = file.getFileName().toString().replace(".yaml", "").split("_", -1);
    return words[1] + "." + words[0];
  }

  private static RawApi.Reply reply(Future<RawApi.Reply> reply, Path file) {
    try {
      return reply.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while installing " + file, e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot install " + file, e.getCause());
    }
  }
}
