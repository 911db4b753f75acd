package dev.policysync.policy.feed;

import dev.policysync.base.HeapBudget;
import dev.policysync.base.JsonLength;
import dev.policysync.base.Value;
import dev.policysync.base.yaml.NodeLocations;
import dev.policysync.base.yaml.YamlDocument;
import dev.policysync.base.yaml.YamlStream;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import dev.policysync.policy.ServerFields;
import dev.policysync.policy.feed.ManifestValidation.Violation;
import dev.policysync.policy.kyverno.PolicyDependency;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads a feed: streams of YAML or JSON documents, each of them a policy or a list of policies.
///
/// Every document is checked by itself. A document that is not a policy becomes an
/// [UnreadableDocument], and while there are any, nothing may be removed. Two documents with the
/// same identity are both unreadable. An empty stream, `{}` and comments alone mean "no policies".
/// If no document looks like a Kubernetes object, the feed is rejected.
///
/// YAML is read as `kubectl` reads it (sigs.k8s.io/yaml 1.6.0), except that a key may not occur
/// twice. The few other differences are listed with their reasons in the test that compares both
/// readers.
public final class PolicyReader {
  /// The namespace of policies in files that name none.
  private static final String FILES_NAMESPACE = "default";

  private static final PartialIdentity NAMELESS = PartialIdentity.of(Value.Mapping.EMPTY);

  private static final String PAGE_OF_A_LIST =
      "the list is one page of a longer list (metadata.continue or metadata.remainingItemCount"
          + " is set); nothing is changed, because policies on other pages would be removed;"
          + " provide all pages, e.g. with kubectl get -o yaml or a URL without limit=";

  private final List<Policy> policies = new ArrayList<>();
  private final List<UnreadableDocument> unreadable = new ArrayList<>();
  private final Map<PolicyId, List<Position>> seen = new HashMap<>();
  private int documents;
  private boolean anyObject;
  private @Nullable Position pageOfAList;

  private final FeedLimit limit;
  private final Optional<String> defaultNamespace;
  private final Set<PolicyId> inDefaultNamespace = new HashSet<>();
  private final Optional<Located> located;
  private long length;

  /// The policies and skipped documents that only [#readLocated] records.
  private record Located(List<LocatedPolicy> policies, ForeignDocuments foreign) {
    private Located() {
      this(new ArrayList<>(), new ForeignDocuments());
    }
  }

  private PolicyReader(
      FeedLimit limit, Optional<String> defaultNamespace, Optional<Located> located) {
    this.limit = limit;
    this.defaultNamespace = defaultNamespace;
    this.located = located;
  }

  /// Returns the policies that the feed expects, and the documents that could not be read, among
  /// them those of namespaced policies without a namespace.
  ///
  /// @throws FeedProblem if there are documents, but none with an apiVersion and a kind, if a
  ///   document is one page of a longer list, or if the feed is too large
  public static ExpectedPolicies read(List<Manifest> manifests) {
    return read(manifests, FeedLimit.of(HeapBudget.ofThisProcess()));
  }

  /// Returns the same, with namespaced policies that name no namespace in `defaultNamespace`.
  ///
  /// @throws FeedProblem as [#read(List)]
  static ExpectedPolicies read(List<Manifest> manifests, String defaultNamespace) {
    var limit = FeedLimit.of(HeapBudget.ofThisProcess());
    return expected(
        manifests, new PolicyReader(limit, Optional.of(defaultNamespace), Optional.empty()));
  }

  static ExpectedPolicies read(List<Manifest> manifests, FeedLimit limit) {
    return expected(manifests, new PolicyReader(limit, Optional.empty(), Optional.empty()));
  }

  private static ExpectedPolicies expected(List<Manifest> manifests, PolicyReader reader) {
    read(manifests, reader);
    if (reader.documents > 0 && !reader.anyObject) {
      throw reader.notPolicies(manifests);
    }
    if (reader.pageOfAList != null) {
      throw new FeedProblem(reader.pageOfAList + ": " + PAGE_OF_A_LIST, false);
    }
    reader.refuseDuplicates();
    return new ExpectedPolicies(
        reader.policies,
        reader.unreadable,
        reader.policies.stream()
            .map(Policy::id)
            .filter(reader.inDefaultNamespace::contains)
            .toList());
  }

  /// Returns the same policies with the location of every node, for commands that examine files.
  /// Where [#read(List)] rejects the feed, this method reads on: if nothing looks like a Kubernetes
  /// object, each document is unreadable, and one page of a longer list is read like a list. A
  /// policy without a namespace is in `default`, and documents that were not meant as policies are
  /// skipped.
  public static LocatedPolicies readLocated(List<Manifest> manifests) {
    var located = new Located();
    var limit = FeedLimit.of(HeapBudget.ofThisProcess());
    var reader = new PolicyReader(limit, Optional.of(FILES_NAMESPACE), Optional.of(located));
    read(manifests, reader);
    reader.skipPatches(located);
    return new LocatedPolicies(
        located.policies(),
        reader.unreadable,
        reader.ambiguous().stream()
            .map(id -> new LocatedPolicies.Duplicate(id, reader.seen.getOrDefault(id, List.of())))
            .toList(),
        located.foreign().skipped());
  }

  private static void read(List<Manifest> manifests, PolicyReader reader) {
    for (var manifest : manifests) {
      Consumer<YamlDocument> documents = document -> reader.read(manifest, document);
      if (reader.located.isPresent()) {
        YamlStream.readWithLocations(manifest.bytes(), reader.limit.ofDocuments(), documents);
      } else {
        YamlStream.read(manifest.bytes(), reader.limit.ofDocuments(), documents);
      }
    }
  }

  /// Skips the patches of kustomizations. This is the last step, because a kustomization may come
  /// after its patches.
  private void skipPatches(Located located) {
    var foreign = located.foreign();
    for (var policy : located.policies()) {
      if (foreign.isPatch(policy.position())) {
        foreign.addPatch(policy.position());
      }
    }
    for (var document : unreadable) {
      if (foreign.isPatch(document.positions().getFirst())) {
        foreign.addPatch(document.positions().getFirst());
      }
    }
    located.policies().removeIf(policy -> foreign.isPatch(policy.position()));
    unreadable.removeIf(document -> foreign.isPatch(document.positions().getFirst()));
    seen.values().forEach(positions -> positions.removeIf(foreign::isPatch));
  }

  private void read(Manifest manifest, YamlDocument document) {
    var source = manifest.name();
    switch (document) {
      case YamlDocument.WellFormed(_, Value.Null(), _, _, _) -> {}
      case YamlDocument.WellFormed(_, Value.Mapping(var fields), _, _, _)
          when fields.isEmpty() -> {}
      case YamlDocument.WellFormed(
              var number,
              Value.Mapping fields,
              var start,
              var nodeLocations,
              var excerpt) -> {
        documents++;
        readObject(
            new ManifestObject(fields, source, number, start, nodeLocations, excerpt), manifest);
      }
      case YamlDocument.WellFormed(var number, _, var start, _, _) -> {
        documents++;
        var position = Position.of(source, number, start);
        if (located.filter(it -> it.foreign().skipIfForeign(manifest, position, true)).isEmpty()) {
          refuse(NAMELESS, List.of(position), "not a mapping of fields", Optional.empty());
        }
      }
      case YamlDocument.Broken(var number, var places, var reason, var readSoFar) -> {
        documents++;
        var broken =
            new ManifestObject(readSoFar, source, number, places.getFirst(), new NodeLocations());
        anyObject |= broken.hasApiVersionAndKind();
        if (located
            .filter(it -> it.foreign().skipIfForeign(manifest, broken.position(), false))
            .isPresent()) {
          return;
        }
        var partialIdentity = PartialIdentity.of(readSoFar);
        refuse(
            partialIdentity,
            places.stream().map(location -> Position.of(source, number, location)).toList(),
            reason,
            partialIdentity
                .kind()
                .filter(PolicyDependency::isShield)
                .map(PolicyDependency::unclear));
      }
    }
  }

  private void readObject(ManifestObject object, Manifest manifest) {
    anyObject |= object.hasApiVersionAndKind();
    if (object.isPageOfAList()) {
      pageOfAList = pageOfAList == null ? object.position() : pageOfAList;
      refuse(NAMELESS, List.of(object.position()), PAGE_OF_A_LIST, Optional.empty());
    }
    var items = object.items();
    if (!object.isList() || items.isEmpty()) {
      judge(object, manifest);
      return;
    }
    for (var item : items.get()) {
      if (item instanceof Value.Mapping mapping) {
        readObject(object.item(mapping), manifest);
      } else {
        refuse(
            NAMELESS,
            List.of(object.position(item)),
            "a list item is not a mapping",
            Optional.empty());
      }
    }
  }

  private void judge(ManifestObject object, Manifest manifest) {
    var partialIdentity = PartialIdentity.of(object.fields());
    var violations = ManifestValidation.violations(object, defaultNamespace.isPresent());
    if (located
        .filter(it -> it.foreign().skipIfForeign(object, manifest, !violations.isEmpty()))
        .isPresent()) {
      return;
    }
    if (!violations.isEmpty()) {
      var reasons = violations.stream().map(Violation::reason).collect(Collectors.joining("; "));
      refuse(
          partialIdentity,
          List.of(violations.getFirst().position()),
          reasons,
          partialIdentity
              .kind()
              .filter(PolicyDependency::isShield)
              .map(kind -> PolicyDependency.of(kind, object.fields())));
      return;
    }
    var id =
        partialIdentity
            .id(defaultNamespace)
            .orElseThrow(() -> new IllegalStateException("a policy without identity; a bug"));
    note(id, object.position());
    if (located.isPresent()) {
      located
          .get()
          .policies()
          .add(new LocatedPolicy(id, object.fields(), object.position(), object.nodeLocations()));
      return;
    }
    var content = inNamespace(id, ServerFields.removeFrom(object.fields()));
    requireRoom(content, object.position());
    policies.add(new Policy(id, content, object.position(), Optional.empty(), object.excerpt()));
  }

  /// Returns the content with its namespace, which the API server expects in what is applied.
  private Value.Mapping inNamespace(PolicyId id, Value.Mapping content) {
    var metadata = content.mapping("metadata");
    if (id.namespace().isEmpty() || metadata.text("namespace").equals(id.namespace())) {
      return content;
    }
    inDefaultNamespace.add(id);
    return content.with(
        "metadata", metadata.with("namespace", new Value.Text(id.namespace().get())));
  }

  private void requireRoom(Value.Mapping content, Position position) {
    length += JsonLength.of(content, limit.bytes());
    if (length > limit.bytes()) {
      throw new FeedProblem(position + ": with aliases (*) expanded, " + limit.exceeded(), false);
    }
  }

  private void refuse(
      PartialIdentity partialIdentity,
      List<Position> positions,
      String reason,
      Optional<PolicyDependency> shield) {
    partialIdentity.id().ifPresent(id -> note(id, positions.getFirst()));
    unreadable.add(
        new UnreadableDocument(
            partialIdentity.id(), partialIdentity.name(), positions, reason, shield));
  }

  private void note(PolicyId id, Position position) {
    seen.computeIfAbsent(id, _ -> new ArrayList<>()).add(position);
  }

  /// Makes all documents of one identity unreadable, even if only one of them is valid, because it
  /// is unknown which of them is intended.
  private void refuseDuplicates() {
    var ambiguous = ambiguous();
    policies.removeIf(policy -> ambiguous.contains(policy.id()));
    for (var id : ambiguous) {
      var positions = seen.getOrDefault(id, List.of());
      unreadable.add(
          new UnreadableDocument(
              Optional.of(id),
              Optional.of(id.name()),
              positions,
              positions.size() + " documents define this policy; keep one",
              Optional.of(id.kind())
                  .filter(PolicyDependency::isShield)
                  .map(PolicyDependency::unclear)));
    }
  }

  private Set<PolicyId> ambiguous() {
    var ids =
        located
            .map(it -> it.policies().stream().map(LocatedPolicy::id))
            .orElseGet(() -> policies.stream().map(Policy::id));
    return ids.filter(id -> seen.getOrDefault(id, List.of()).size() > 1)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private FeedProblem notPolicies(List<Manifest> manifests) {
    var names = manifests.stream().limit(3).map(Manifest::name).collect(Collectors.joining(", "));
    var more = manifests.size() > 3 ? " and " + (manifests.size() - 3) + " more" : "";
    var first = unreadable.getFirst();
    return new FeedProblem(
        "no document of "
            + names
            + more
            + " has an apiVersion and a kind, so nothing is changed; check the source. First"
            + " problem: "
            + first.positions().getFirst()
            + ": "
            + first.reason(),
        false);
  }
}
