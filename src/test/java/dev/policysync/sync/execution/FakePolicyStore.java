package dev.policysync.sync.execution;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.PolicyDependency;
import dev.policysync.testcluster.Documents;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// A cluster's policies in memory, with field ownership, versions and dry runs as the API server
/// has them: [PolicyStoreContract] holds it to that.
///
/// It serves every kind at its first version, knows one default (`spec.background`) and one field
/// that no schema has (`spec.noSuchField`). What goes wrong is told to it beforehand.
public final class FakePolicyStore implements DisturbedStore {
  private static final Written DONE = new Written.Done(List.of());

  private final Map<PolicyId, FakeObject> objects = new TreeMap<>();
  private final Map<PolicyKind, Listing> unusual = new EnumMap<>(PolicyKind.class);
  private final Map<PolicyId, Failure> refusals = new HashMap<>();
  private final Map<PolicyId, Failure> falseAnswers = new HashMap<>();
  private final Map<PolicyId, Failure> unreadable = new HashMap<>();
  private final Map<PolicyId, Optional<Value.Mapping>> shown = new HashMap<>();
  private final List<Action> writes = new ArrayList<>();
  private Optional<Failure> unpreviewable = Optional.empty();
  private Consumer<Action> beforeEachWrite = _ -> {};
  private Optional<Clock> clock = Optional.empty();
  private long revision;

  /// Makes it tell when exceptions and context entries were applied, by that clock, and a read when
  /// any policy was.
  public void tellTheTimeOf(Clock itsClock) {
    clock = Optional.of(itsClock);
  }

  @Override
  public void list(PolicyKind kind, Listing listing) {
    unusual.put(kind, listing);
  }

  @Override
  public void list(PolicyKind kind) {
    unusual.remove(kind);
  }

  /// Another cluster that is the same now, whatever becomes of this one.
  public synchronized FakePolicyStore copy() {
    var copy = new FakePolicyStore();
    objects.forEach((id, object) -> copy.objects.put(id, object.copy()));
    copy.unusual.putAll(unusual);
    copy.falseAnswers.putAll(falseAnswers);
    copy.revision = revision;
    copy.clock = clock;
    return copy;
  }

  @Override
  public void refuse(PolicyId id, Failure failure) {
    refusals.put(id, failure);
  }

  /// Does every removal of that policy from now on, and answers with that failure all the same.
  public void answerRemoval(PolicyId id, Failure failure) {
    falseAnswers.put(id, failure);
  }

  @Override
  public void allow(PolicyId id) {
    refusals.remove(id);
  }

  /// Does not show that policy with all that it says from now on.
  public void hide(PolicyId id, Failure failure) {
    unreadable.put(id, failure);
  }

  /// Makes every preview fail from now on, or no more.
  public void failPreviews(Optional<Failure> failure) {
    unpreviewable = failure;
  }

  /// Shows that policy so from now on, with all that it says, whatever it is.
  public void show(PolicyId id, Optional<Value.Mapping> as) {
    shown.put(id, as);
  }

  @Override
  public void beforeEachWrite(Consumer<Action> happens) {
    beforeEachWrite = happens;
  }

  /// What was asked for by applies and removals that were meant, in their order, refused ones too.
  public List<Action> writes() {
    return List.copyOf(writes);
  }

  @Override
  public ActualPolicies list() {
    var kinds = new EnumMap<PolicyKind, Listing>(PolicyKind.class);
    PolicyKind.all().forEach(kind -> kinds.put(kind, listing(kind)));
    return new ActualPolicies(kinds);
  }

  @Override
  public ActualPolicies listServed(Map<PolicyKind, String> served) {
    var kinds = new EnumMap<PolicyKind, Listing>(PolicyKind.class);
    for (var kind : PolicyKind.all()) {
      kinds.put(
          kind,
          served.containsKey(kind)
              ? listing(kind, served.get(kind))
              : new Listing.Absent("it was not served"));
    }
    return new ActualPolicies(kinds);
  }

  private Listing listing(PolicyKind kind, String version) {
    var listing = listing(kind);
    return listing instanceof Listing.Absent
            || (listing instanceof Listing.Listed(var served, _) && !served.equals(version))
        ? new Listing.Unlistable(
            new Failure(Failure.Cause.NOT_FOUND, "list " + kind + ": HTTP 404"))
        : listing;
  }

  /// What a list of that kind alone says.
  public synchronized Listing listing(PolicyKind kind) {
    var live =
        objects.entrySet().stream()
            .filter(entry -> entry.getKey().kind() == kind)
            .map(entry -> entry.getValue().live())
            .toList();
    return unusual.getOrDefault(kind, new Listing.Listed(kind.versions().getFirst(), live));
  }

  @Override
  public synchronized SortedMap<PolicyId, Value.Mapping> contents() {
    var contents = new TreeMap<PolicyId, Value.Mapping>();
    objects.forEach((id, object) -> contents.put(id, object.content()));
    return contents;
  }

  @Override
  public synchronized Optional<LivePolicy> find(PolicyId id) {
    return Optional.ofNullable(objects.get(id)).map(FakeObject::live);
  }

  @Override
  public synchronized Written apply(Action.Write write, WriteMode writeMode) {
    begin(write, writeMode);
    var id = write.id();
    var object = objects.get(id);
    var seen = Optional.ofNullable(object).map(FakeObject::version);
    if (!seen.equals(write.seen())) {
      return new Written.Stale();
    }
    var manifest = write.desired().manifest();
    if (manifest.mapping("spec").field("noSuchField").isPresent()) {
      var reason = "apply " + id + ": .spec.noSuchField: field not declared in schema";
      return new Written.Refused(new Failure(Failure.Cause.INVALID, reason));
    }
    var refusal = refusals.get(id);
    if (refusal != null) {
      return new Written.Refused(refusal);
    }
    if (writeMode == WriteMode.LIVE) {
      var target = objects.computeIfAbsent(id, _ -> created(id));
      if (target.applyAndTakeOver(manifest)) {
        target.writtenAt(++revision);
        clock.ifPresent(it -> target.writtenBy(it.instant()));
        clock
            .filter(_ -> PolicyDependency.isShield(id.kind()))
            .ifPresent(it -> target.appliedAt(it.instant()));
      }
    }
    return DONE;
  }

  @Override
  public synchronized Written remove(Action.Remove removal, WriteMode writeMode) {
    begin(removal, writeMode);
    var object = objects.get(removal.id());
    if (object == null) {
      return DONE;
    }
    if (!object.version().equals(removal.was())) {
      return new Written.Stale();
    }
    var refusal = refusals.get(removal.id());
    if (refusal != null) {
      return new Written.Refused(refusal);
    }
    if (object.hasFinalizers()) {
      if (writeMode == WriteMode.LIVE) {
        object.markForDeletion();
        object.writtenAt(++revision);
      }
      var reason = "remove " + removal.id() + ": waits for its finalizers";
      return new Written.Refused(new Failure(Failure.Cause.TERMINATING, reason));
    }
    if (writeMode == WriteMode.LIVE) {
      objects.remove(removal.id());
    }
    return Optional.ofNullable(falseAnswers.get(removal.id()))
        .<Written>map(Written.Refused::new)
        .orElse(DONE);
  }

  @Override
  public synchronized Preview preview(Action.Write write) {
    if (unpreviewable.isPresent()) {
      throw new ClusterUnavailable(unpreviewable.get());
    }
    var before = Optional.ofNullable(objects.get(write.id()));
    var after = before.map(FakeObject::copy).orElseGet(() -> created(write.id()));
    after.applyAndTakeOver(write.desired().manifest());
    return new Preview(
        before.map(FakeObject::content).orElse(Value.Mapping.EMPTY), after.content());
  }

  @Override
  public synchronized void create(String object) {
    var policy = Documents.policy(object);
    var fresh = created(policy.id());
    fresh.update("kubectl-create", policy.content());
    fresh.writtenAt(++revision);
    objects.put(policy.id(), fresh);
  }

  @Override
  public void edit(PolicyId id, String patch) {
    write(id, object -> object.update("kubectl-edit", Documents.yaml(patch)));
  }

  @Override
  public void apply(String object) {
    var policy = Documents.policy(object);
    write(policy.id(), there -> there.apply("argocd-controller", policy.content()));
  }

  @Override
  public void applyAsUs(String object) {
    var policy = Documents.policy(object);
    write(policy.id(), there -> there.apply(FieldOwnership.MANAGER, policy.content()));
  }

  @Override
  public void cutOutOthers(PolicyId id) {
    write(id, FakeObject::cutOutOthers);
  }

  @Override
  public void report(PolicyId id, String status) {
    write(id, object -> object.report(Documents.yaml(status)));
  }

  @Override
  public void forgetOwners(PolicyId id) {
    write(id, FakeObject::forgetOwners);
  }

  @Override
  public synchronized void remove(PolicyId id) {
    objects.remove(id);
  }

  @Override
  public synchronized Optional<Value.Mapping> read(PolicyId id) {
    var failure = unreadable.get(id);
    if (failure != null) {
      throw new ClusterUnavailable(failure);
    }
    var there = Optional.ofNullable(objects.get(id)).map(FakeObject::read);
    return shown.getOrDefault(id, there);
  }

  private void begin(Action action, WriteMode writeMode) {
    beforeEachWrite.accept(action);
    if (writeMode == WriteMode.LIVE) {
      writes.add(action);
    }
  }

  private FakeObject created(PolicyId id) {
    return new FakeObject(id, "uid-" + ++revision);
  }

  private synchronized void write(PolicyId id, Consumer<FakeObject> change) {
    var object = objects.get(id);
    if (object == null) {
      throw new IllegalStateException("nothing to write to: " + id);
    }
    change.accept(object);
    object.writtenAt(++revision);
    if (object.live().terminating() && !object.hasFinalizers()) {
      objects.remove(id);
    }
  }
}
