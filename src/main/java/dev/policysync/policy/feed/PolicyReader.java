package dev.policysync.policy.feed;

import dev.policysync.json.Value;
import dev.policysync.kyverno.PolicyDependency;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import dev.policysync.policy.ServerFields;
import dev.policysync.policy.feed.ManifestValidation.Violation;
import dev.policysync.yaml.NodeLocations;
import dev.policysync.yaml.YamlDocument;
import dev.policysync.yaml.YamlStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads a feed: streams of YAML or JSON documents, each of them a policy or a list of policies.
///
/// Every document is judged by itself. One that is no policy becomes an [UnreadableDocument], and
/// while there is any, nothing may be removed; two of one identity are unreadable both. An empty
/// stream, `{}` and comments alone mean "no policies". A feed in which nothing looks like a
/// Kubernetes object is none.
///
/// YAML means here what it means to `kubectl` (sigs.k8s.io/yaml 1.6.0), except that a key may not
/// be there twice. The few other differences are listed with their reasons in the test that
/// compares both readers.
public final class PolicyReader {
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

  private final Consumer<LocatedPolicy> located;
  private final FeedLimit limit;
  private long bytes;

  private PolicyReader(Consumer<LocatedPolicy> located, FeedLimit limit) {
    this.located = located;
    this.limit = limit;
  }

  /// What the feed wants, and which documents of it nobody could make sense of.
  ///
  /// @throws FeedProblem if there are documents, but none with an apiVersion and a kind, or if one
  ///   of them is a list and says that there is more of it elsewhere, or if it all is too much
  public static ExpectedPolicies read(List<Manifest> manifests) {
    return read(manifests, FeedLimit.of(HeapBudget.ofThisProcess()));
  }

  static ExpectedPolicies read(List<Manifest> manifests, FeedLimit limit) {
    var reader = new PolicyReader(_ -> {}, limit);
    for (var manifest : manifests) {
      YamlStream.read(
          manifest.bytes(),
          limit.ofDocuments(),
          document -> reader.read(manifest.name(), document));
    }
    if (reader.documents > 0 && !reader.anyObject) {
      throw reader.notPolicies(manifests);
    }
    if (reader.pageOfAList != null) {
      throw new FeedProblem(reader.pageOfAList + ": " + PAGE_OF_A_LIST, false);
    }
    reader.refuseDuplicates();
    return new ExpectedPolicies(reader.policies, reader.unreadable);
  }

  /// The same policies with every place in them, for whoever judges what is written. Where nothing
  /// looks like a Kubernetes object, each document is unreadable, and the feed is still a feed. So
  /// it is where a list has further pages: what is there can be judged.
  public static LocatedPolicies readLocated(List<Manifest> manifests) {
    var located = new ArrayList<LocatedPolicy>();
    var limit = FeedLimit.of(HeapBudget.ofThisProcess());
    var reader = new PolicyReader(located::add, limit);
    for (var manifest : manifests) {
      YamlStream.readWithPlaces(
          manifest.bytes(),
          limit.ofDocuments(),
          document -> reader.read(manifest.name(), document));
    }
    reader.refuseDuplicates();
    var unambiguous = reader.policies.stream().map(Policy::id).collect(Collectors.toSet());
    located.removeIf(policy -> !unambiguous.contains(policy.id()));
    return new LocatedPolicies(located, reader.unreadable);
  }

  private void read(String source, YamlDocument document) {
    switch (document) {
      case YamlDocument.Sound(_, Value.Null(), _, _) -> {}
      case YamlDocument.Sound(_, Value.Mapping(var fields), _, _) when fields.isEmpty() -> {}
      case YamlDocument.Sound(var number, Value.Mapping fields, var start, var nodeLocations) -> {
        documents++;
        readObject(new ManifestObject(fields, source, number, start, nodeLocations));
      }
      case YamlDocument.Sound(var number, _, var start, _) -> {
        documents++;
        refuse(
            NAMELESS,
            List.of(Position.of(source, number, start)),
            "not a mapping of fields",
            Optional.empty());
      }
      case YamlDocument.Broken(var number, var places, var reason, var readSoFar) -> {
        documents++;
        var broken =
            new ManifestObject(readSoFar, source, number, places.getFirst(), new NodeLocations());
        anyObject |= broken.saysWhatItIs();
        var partialIdentity = PartialIdentity.of(readSoFar);
        refuse(
            partialIdentity,
            places.stream().map(location -> Position.of(source, number, location)).toList(),
            reason,
            partialIdentity.kind().filter(PolicyDependency::is).map(PolicyDependency::unclear));
      }
    }
  }

  private void readObject(ManifestObject object) {
    anyObject |= object.saysWhatItIs();
    if (object.isPageOfAList()) {
      pageOfAList = pageOfAList == null ? object.position() : pageOfAList;
      refuse(NAMELESS, List.of(object.position()), PAGE_OF_A_LIST, Optional.empty());
    }
    var items = object.items();
    if (!object.isList() || items.isEmpty()) {
      judge(object);
      return;
    }
    for (var item : items.get()) {
      if (item instanceof Value.Mapping mapping) {
        readObject(object.item(mapping));
      } else {
        refuse(
            NAMELESS,
            List.of(object.position(item)),
            "a list item is not a mapping",
            Optional.empty());
      }
    }
  }

  private void judge(ManifestObject object) {
    var partialIdentity = PartialIdentity.of(object.fields());
    var violations = ManifestValidation.violations(object);
    if (!violations.isEmpty()) {
      var reasons = violations.stream().map(Violation::reason).collect(Collectors.joining("; "));
      refuse(
          partialIdentity,
          List.of(violations.getFirst().position()),
          reasons,
          partialIdentity
              .kind()
              .filter(PolicyDependency::is)
              .map(kind -> PolicyDependency.of(kind, object.fields())));
      return;
    }
    var id =
        partialIdentity
            .id()
            .orElseThrow(() -> new IllegalStateException("a policy without identity; a bug"));
    note(id, object.position());
    located.accept(
        new LocatedPolicy(id, object.fields(), object.position(), object.nodeLocations()));
    var policy = new Policy(id, ServerFields.removed(object.fields()), object.position());
    bytes += policy.compactJson().bytes();
    if (bytes > limit.bytes()) {
      throw new FeedProblem(
          object.position() + ": with aliases (*) expanded, " + limit.exceeded(), false);
    }
    policies.add(policy);
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

  /// Nobody can tell which of two documents is meant, not even where only one of them is sound.
  private void refuseDuplicates() {
    var ambiguous =
        policies.stream()
            .map(Policy::id)
            .filter(id -> seen.getOrDefault(id, List.of()).size() > 1)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    policies.removeIf(policy -> ambiguous.contains(policy.id()));
    for (var id : ambiguous) {
      var positions = seen.getOrDefault(id, List.of());
      unreadable.add(
          new UnreadableDocument(
              Optional.of(id),
              Optional.of(id.name()),
              positions,
              positions.size() + " documents define this policy; keep one",
              Optional.of(id.kind()).filter(PolicyDependency::is).map(PolicyDependency::unclear)));
    }
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
