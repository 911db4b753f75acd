package dev.policysync.sync;

import static dev.policysync.sync.MovingCluster.exception;
import static dev.policysync.sync.MovingCluster.feed;
import static dev.policysync.sync.MovingCluster.legacy;
import static dev.policysync.sync.MovingCluster.policy;
import static dev.policysync.sync.MovingCluster.successor;
import static dev.policysync.sync.MovingCluster.validating;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.cli.Golden;
import dev.policysync.inspect.StatusProblem.Severity;
import dev.policysync.plan.Adoption;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.plan.LiveStatus;
import dev.policysync.plan.Successors;
import dev.policysync.policy.Digest;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.WriteMode;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every state that a policy with two rules can get into, by whole runs of the agent in memory:
/// breadth-first from an empty cluster, with each event of a family between any two runs, and each
/// run killed before each of its writes, until no state is new.
public class EveryMoveTest {
  private static final PolicyId X = legacy("x");
  private static final PolicyId SAME_NAME = successor("x");
  private static final List<PolicyId> SUCCESSORS = List.of(successor("x-r1"), successor("x-r2"));
  private static final PolicyId R1 = SUCCESSORS.getFirst();
  private static final PolicyId MINE = PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "mine");
  private static final String OTHER = validating("other", "Audit");
  static final String ENFORCED = feed(policy("x", "Enforce", 10, "r1", "r2"), OTHER);
  private static final String CHANGED = feed(policy("x", "Enforce", 20, "r1", "r2"), OTHER);
  private static final String AUDITED = feed(policy("x", "Audit", 10, "r1", "r2"), OTHER);
  private static final String MOVED = feed(validating("x", "Deny"), OTHER);
  private static final String NAMED =
      feed(policy("x", "Enforce", 10, "r1", "r2"), validating("x-r1", "Audit"), OTHER);
  private static final PolicyId EXEMPTING = PolicyId.of(PolicyKind.CEL_EXCEPTION, "shop", "e-x");
  private static final String EXEMPTED =
      feed(policy("x", "Enforce", 10, "r1", "r2"), exception("e", "x"), OTHER);
  private static final String RECONCILE = "policysync.dev/reconcile";

  private static final Map<String, String> FEEDS =
      Map.of(
          ENFORCED,
          "as first",
          CHANGED,
          "changed",
          AUDITED,
          "audits",
          MOVED,
          "moved",
          NAMED,
          "named",
          OTHER,
          "lost",
          EXEMPTED,
          "exempted");

  /// Something that happens between two runs; it changes nothing where it cannot happen.
  record Event(String name, Consumer<MovingCluster> happens) {}

  private static final List<Event> REPORTS =
      Stream.of(MovingCluster.Reports.values())
          .map(reports -> event("reports " + reports, cluster -> cluster.reports = reports))
          .toList();
  private static final List<Event> SETTING =
      List.of(
          event("CONVERT=off", cluster -> cluster.converting = false),
          event("CONVERT=apply", cluster -> cluster.converting = true));

  private static Event event(String name, Consumer<MovingCluster> happens) {
    return new Event(name, happens);
  }

  private static Event feeds(String feed) {
    return event(
        "feed " + FEEDS.getOrDefault(feed, "?"),
        cluster -> {
          if (!cluster.feed.equals(feed)) {
            cluster.feed = feed;
            cluster.edition++;
          }
        });
  }

  /// An event that happens to an object, if it exists.
  private static Event to(PolicyId id, String what, Consumer<MovingCluster> happens) {
    return event(
        what + " " + id,
        cluster -> {
          if (cluster.exists(id)) {
            happens.accept(cluster);
          }
        });
  }

  private static Event deleted(PolicyId id) {
    return to(id, "deleted", cluster -> cluster.store.remove(id));
  }

  private static Event annotated(PolicyId id, String annotation, String value) {
    return to(id, annotation, cluster -> cluster.annotate(id, annotation, value));
  }

  /// Paused by a person who sets it to Audit.
  private static Event paused(PolicyId id) {
    return to(
        id,
        "paused",
        cluster -> {
          cluster.annotate(id, RECONCILE, "disabled");
          audit(cluster, id);
        });
  }

  private static Event detached(PolicyId id) {
    return to(
        id,
        "detached",
        cluster -> {
          cluster.annotate(id, OwnershipAnnotations.OWNED_BY, "null");
          audit(cluster, id);
        });
  }

  private static Event audited(PolicyId id) {
    return to(id, "audited", cluster -> audit(cluster, id));
  }

  private static void audit(MovingCluster cluster, PolicyId id) {
    cluster.store.edit(
        id,
        id.equals(X)
            ? "spec: {validationFailureAction: Audit}"
            : "spec: {validationActions: [Audit]}");
  }

  private static Event refused(PolicyId id, boolean refused) {
    return event(
        (refused ? "refused " : "accepted ") + id,
        cluster -> {
          if (refused) {
            cluster.refused.add(id);
          } else {
            cluster.refused.remove(id);
            cluster.store.allow(id);
          }
        });
  }

  private static Event held(EnforceGuard.Mode mode) {
    return event("guard " + mode, cluster -> cluster.guard = mode);
  }

  /// The events by what they have to do with each other.
  static final Map<String, List<Event>> FAMILIES = families();

  private static Map<String, List<Event>> families() {
    var back = feeds(ENFORCED);
    var off = SETTING.getFirst();
    var agree = REPORTS.getFirst();
    var differ = REPORTS.getLast();
    var hold = held(EnforceGuard.Mode.HOLD);
    var release = held(EnforceGuard.Mode.OFF);
    var renamed = event("renamed", cluster -> cluster.cluster = "renamed");
    var adopt = event("ADOPT=always", cluster -> cluster.adoption = Adoption.ALWAYS);
    var families = new LinkedHashMap<String, List<Event>>();
    families.put("the feed changes it, lets it audit", List.of(feeds(CHANGED), feeds(AUDITED)));
    families.put(
        "the feed adds an exception from it; `CONVERT` goes off", List.of(feeds(EXEMPTED), off));
    families.put("the feed loses it, gains it", List.of(back, feeds(OTHER)));
    families.put(
        "reports are missing or differ; `CONVERT` goes off and on; it cannot be converted",
        joined(joined(REPORTS, SETTING), List.of(convertible(true), convertible(false))));
    families.put(
        "somebody deletes or edits the policy or a successor; `CONVERT` goes off",
        List.of(deleted(X), deleted(R1), audited(X), audited(R1), off));
    families.put(
        "somebody removes the annotation of a successor, or the policy; `CONVERT` goes off and on",
        joined(
            SETTING,
            List.of(annotated(R1, OwnershipAnnotations.SUCCESSOR_OF, "null"), deleted(X))));
    families.put(
        "somebody pauses and resumes the policy or a successor; `CONVERT` goes off",
        List.of(
            paused(X),
            paused(R1),
            annotated(X, RECONCILE, "null"),
            annotated(R1, RECONCILE, "null"),
            off));
    families.put(
        "somebody detaches the policy or a successor; `CONVERT` goes off and on",
        joined(SETTING, List.of(detached(X), detached(R1))));
    families.put(
        "a write of the policy or a successor is refused; somebody deletes the policy",
        List.of(
            refused(X, true),
            refused(X, false),
            refused(R1, true),
            refused(R1, false),
            deleted(X)));
    families.put(
        "the guard withholds; the feed changes it; somebody deletes the policy",
        List.of(hold, release, feeds(CHANGED), deleted(X)));
    families.put(
        "the guard withholds; the feed moves it to another kind",
        List.of(hold, release, feeds(MOVED)));
    families.put(
        "the feed moves it to another kind, for which Kyverno reports it as not ready",
        List.of(
            feeds(MOVED),
            reported(SAME_NAME, "conditionStatus: {ready: false}"),
            reported(SAME_NAME, "conditionStatus: {ready: true}"),
            off));
    families.put(
        "the guard withholds; the feed takes a successor's name",
        List.of(hold, release, feeds(NAMED)));
    families.put(
        "a write of the policy of another kind is refused; the feed moves it there",
        List.of(refused(SAME_NAME, true), refused(SAME_NAME, false), feeds(MOVED)));
    families.put(
        "somebody adds an exception, takes a name; verdicts differ; `CONVERT` goes off",
        List.of(
            event(
                "exception",
                cluster -> {
                  if (!cluster.exists(MINE)) {
                    cluster.store.create(exception("mine", "x"));
                  }
                }),
            deleted(MINE),
            event(
                "name taken",
                cluster -> {
                  if (!cluster.exists(R1)) {
                    cluster.store.create(validating("x-r1", "Audit"));
                  }
                }),
            deleted(R1),
            agree,
            differ,
            off));
    families.put(
        "the source is renamed; `ADOPT=always`; `CONVERT` goes off", List.of(renamed, adopt, off));
    families.put(
        "the source is renamed; `ADOPT=always`; the feed loses it",
        List.of(renamed, adopt, feeds(OTHER)));
    families.put(
        "somebody deletes it, and applies it by hand; `ADOPT=always`; `CONVERT` goes off",
        List.of(
            deleted(X),
            event(
                "by hand",
                cluster -> {
                  if (!cluster.exists(X)) {
                    cluster.store.create(policy("x", "Enforce", 10, "r1", "r2"));
                  }
                }),
            adopt,
            off));
    families.put(
        "the right to list successors is lost; the feed changes it",
        List.of(
            event("rights lost", cluster -> cluster.listing = Optional.of(MovingCluster.FORBIDDEN)),
            event("rights back", cluster -> cluster.listing = Optional.empty()),
            feeds(CHANGED)));
    families.put(
        "Kyverno 1.20; verdicts differ; `CONVERT` goes off",
        List.of(event("1.20", cluster -> cluster.kyverno = "1.20.0"), differ, off));
    families.put(
        "Kyverno reports the policy or a successor as not ready; verdicts differ",
        List.of(
            reported(X, "conditions: [" + condition("False") + "]"),
            reported(X, "conditions: [" + condition("True") + "]"),
            reported(R1, "conditionStatus: {ready: false}"),
            reported(R1, "conditionStatus: {ready: true}"),
            reported(
                R1,
                "conditionStatus: {ready: true, conditions: ["
                    + condition("True").replace("type:", "observedGeneration: 1, type:")
                    + "]}"),
            agree,
            differ));
    return families;
  }

  /// Whether it can be converted depends on the feed alone.
  private static Event convertible(boolean convertible) {
    return event(
        "convertible " + convertible,
        cluster -> {
          cluster.edition += cluster.convertible == convertible ? 0 : 1;
          cluster.convertible = convertible;
        });
  }

  private static String condition(String status) {
    return "{type: Ready, status: '%s', reason: Tried, message: m, lastTransitionTime: '2026-11-21T03:00:00Z'}"
        .formatted(status);
  }

  private static Event reported(PolicyId id, String status) {
    return to(id, status, cluster -> cluster.store.report(id, status));
  }

  private static List<Event> joined(List<Event> some, List<Event> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  /// The first promise that is broken; empty if all are kept.
  public static String first() {
    return FAMILIES.entrySet().stream()
        .map(family -> new Search(family.getKey(), family.getValue()).run())
        .flatMap(search -> search.broken.stream())
        .findFirst()
        .orElse("");
  }

  @Test
  void keepsThePromisesInEveryState() {
    var worlds =
        FAMILIES.entrySet().parallelStream()
            .map(family -> new Search(family.getKey(), family.getValue()).run())
            .toList();

    var table =
        new StringBuilder("| events | states | transitions | broken |\n|---|---|---|---|\n");
    worlds.forEach(world -> table.append(world.row()));
    System.out.println(table);
    assertThat(worlds.stream().flatMap(world -> world.broken.stream())).isEmpty();
    Golden.assertBlockEqual(Path.of("docs", "safety.md"), "moves", table.toString());
  }

  /// The search through one family of events.
  private static final class Search {
    private final String name;
    private final List<Event> events;
    private final Map<String, String> next = new HashMap<>();
    private final Map<String, String> paths = new LinkedHashMap<>();
    private final ArrayDeque<Node> open = new ArrayDeque<>();
    private final Set<String> broken = new TreeSet<>();
    private int transitions;

    private record Node(MovingCluster cluster, String key) {}

    Search(String name, List<Event> events) {
      this.name = name;
      this.events = events;
    }

    String row() {
      return "| %s | %,d | %,d | %d |\n".formatted(name, paths.size(), transitions, broken.size());
    }

    Search run() {
      var begin = new MovingCluster();
      begin.feed = ENFORCED;
      visit(begin, "");
      while (!open.isEmpty() && broken.size() < 5) {
        var node = open.remove();
        var cluster = node.cluster();
        var path = paths.getOrDefault(node.key(), "");
        var after = cluster.copy();
        var killed = new Watch(after, path + ", run").run();
        var reached = visit(after, path + ", run");
        next.put(node.key(), reached);
        if (node.key().equals(reached)) {
          settled(after, path);
        }
        for (int at = 0; at < killed.size(); at++) {
          visit(killed.get(at), path + ", killed at " + (at + 1));
        }
        for (var event : events) {
          var changed = cluster.copy();
          event.happens().accept(changed);
          visit(changed, path + ", " + event.name());
        }
      }
      findCycles();
      if (!broken.isEmpty()) {
        System.out.println(name + "\n  " + String.join("\n  ", broken));
      }
      return this;
    }

    private String visit(MovingCluster cluster, String path) {
      transitions++;
      var key = key(cluster);
      if (paths.putIfAbsent(key, path) == null) {
        open.add(new Node(cluster, key));
      }
      return key;
    }

    private void findCycles() {
      for (var state : next.keySet()) {
        var seen = new HashSet<String>();
        var at = state;
        while (at != null && seen.add(at)) {
          at = next.get(at);
        }
        if (at != null && !at.equals(next.get(at))) {
          broken.add("no end: " + paths.get(at));
        }
      }
    }

    private void claim(boolean holds, String what, String path) {
      if (!holds) {
        broken.add(what + ": " + path);
      }
    }

    /// A state that runs do not change.
    private void settled(MovingCluster cluster, String path) {
      var preview = cluster.copy();
      preview.writeMode = WriteMode.DRY_RUN;
      var done = preview.run();
      var said = preview.said();
      claim(
          !cluster.converting || done.equals(cluster.done),
          "a preview would do more: " + done,
          path);
      var plan = cluster.last.orElseThrow().plan();
      var status = cluster.summary().status();
      var problems = cluster.copy().status().problems();
      claim(
          status == Summary.RunStatus.DONE
              || problems.stream().anyMatch(it -> it.severity().compareTo(Severity.PENDING) < 0),
          "`status` shows nothing of what failed or is withheld: " + problems,
          path);
      var known = new HashSet<>(plan.unchanged());
      plan.retained().kept().forEach(it -> known.add(it.id()));
      plan.retained().ignored().forEach(it -> known.add(it.id()));
      plan.problems().conflicts().forEach(it -> known.add(it.id()));
      plan.problems().rejected().forEach(it -> it.id().ifPresent(known::add));
      plan.pending().withheld().forEach(it -> known.add(it.id()));
      plan.pending().waiting().forEach(it -> known.add(it.id()));
      plan.actions().forEach(it -> known.add(it.id()));
      for (var live : cluster.store.list().byId().values()) {
        claim(
            known.contains(live.id())
                || live.annotation(OwnershipAnnotations.OWNED_BY).isEmpty()
                || cluster.listing.isPresent(),
            "nothing is said of " + live.id(),
            path);
      }
      if (requires(cluster)) {
        var enforced = enforced(cluster).size() == 2 || !ready(cluster);
        var over = cluster.store.contents().keySet().containsAll(SUCCESSORS) && !cluster.exists(X);
        claim(
            (enforced && (over || !cluster.converting || cluster.feed.equals(MOVED)))
                || said.contains("ClusterPolicy/x")
                || said.contains("ValidatingPolicy/x"),
            "nothing is said",
            path);
        claim(
            enforced
                || preview.summary().status() != Summary.RunStatus.DONE
                || said.contains("left alone"),
            "success though it is not enforced",
            path);
        claim(
            !plan.unchanged().contains(X)
                || cluster.summary().writes().failed().stream()
                    .noneMatch(it -> it.name().filter("x"::equals).isPresent()),
            "a policy in force is told as failed",
            path);
        claim(
            status != Summary.RunStatus.DONE || !isOthers(cluster, R1),
            "success while another source's successor blocks",
            path);
        var told = cluster.lastTold.get("x");
        claim(
            status != Summary.RunStatus.DONE || !Boolean.FALSE.equals(told),
            "the API knows a failure, and there is none",
            path);
        claim(
            cluster.summary().writes().failed().stream()
                    .noneMatch(it -> it.name().filter("x"::equals).isPresent())
                || !Boolean.TRUE.equals(told),
            "the API knows no failure",
            path);
      }
      claim(
          Set.of("x", "other", "x-r1", "e").containsAll(cluster.lastTold.keySet())
              && (events.stream().anyMatch(it -> it.name().equals("feed named"))
                  || !cluster.lastTold.containsKey("x-r1")),
          "a name that the feed does not have was told " + cluster.lastTold.keySet(),
          path);
    }

    /// One run, watched before each of its writes and at its end.
    private final class Watch {
      private final MovingCluster cluster;
      private final String path;
      private final List<MovingCluster> killed = new ArrayList<>();
      private final Set<Integer> untouchable;
      private Set<Integer> before;
      private final Set<Integer> blocking;
      private final boolean exempted;

      Watch(MovingCluster cluster, String path) {
        this.cluster = cluster;
        this.path = path;
        this.before = enforced(cluster);
        this.blocking = bySuccessors(cluster);
        this.exempted =
            !cluster.feed.equals(EXEMPTED) || cluster.exists(EXEMPTING) || !cluster.exists(X);
        this.untouchable = untouchable(cluster);
      }

      /// Runs to the end.
      ///
      /// @return the cluster as it would be if the run had been killed before each of its writes,
      ///   to policies and to what it remembers
      List<MovingCluster> run() {
        cluster.store.beforeEachWrite(_ -> {
          look();
          killed.add(cluster.copy());
        });
        cluster.memory.beforeUpdate(this::beforeUpdate);
        try {
          cluster.run();
        } catch (IllegalStateException e) {
          claim(false, "a bug: " + e, path);
        }
        cluster.memory.beforeUpdate(() -> {});
        cluster.store.beforeEachWrite(_ -> {});
        look();
        return killed;
      }

      private void beforeUpdate() {
        killed.add(cluster.copy());
        cluster.memory.beforeUpdate(this::beforeUpdate);
      }

      private void look() {
        var now = enforced(cluster);
        if (requires(cluster)) {
          claim(now.containsAll(before), "a rule is no longer enforced", path);
        }
        var begun = new TreeSet<>(now);
        begun.removeAll(before);
        begun.retainAll(untouchable);
        claim(begun.isEmpty(), "what is paused or withheld begins to block", path);
        var unexempted = bySuccessors(cluster);
        unexempted.removeAll(blocking);
        claim(
            unexempted.isEmpty() || (exempted && !cluster.exists(MINE)),
            "what is exempt begins to block, or was not rehearsed",
            path);
        before = now;
      }
    }
  }

  private static boolean ready(MovingCluster cluster) {
    return cluster.store.list().byId().values().stream()
        .allMatch(it ->
            it.liveStatus().readiness() != LiveStatus.Readiness.NOT_READY
                && observed(cluster.store.read(it.id()).orElseThrow()));
  }

  private static boolean requires(MovingCluster cluster) {
    return !cluster.feed.equals(AUDITED) && !cluster.feed.equals(OTHER);
  }

  /// The rules that something enforces that Kyverno is ready for.
  private static Set<Integer> enforced(MovingCluster cluster) {
    var rules = bySuccessors(cluster);
    for (int rule = 0; rule < 2; rule++) {
      if ((enforces(cluster, X) && cluster.kyverno.startsWith("1.19"))
          || enforces(cluster, SAME_NAME)) {
        rules.add(rule);
      }
    }
    return rules;
  }

  private static Set<Integer> bySuccessors(MovingCluster cluster) {
    var rules = new TreeSet<Integer>();
    for (int rule = 0; rule < 2; rule++) {
      if (enforces(cluster, SUCCESSORS.get(rule))) {
        rules.add(rule);
      }
    }
    return rules;
  }

  private static boolean isOthers(MovingCluster cluster, PolicyId id) {
    return cluster.blocks(id)
        && cluster
            .store
            .find(id)
            .flatMap(it -> it.annotation(OwnershipAnnotations.SOURCE))
            .filter(source -> !source.equals(cluster.options().source().text()))
            .isPresent();
  }

  private static boolean enforces(MovingCluster cluster, PolicyId id) {
    return cluster.blocks(id)
        && observed(cluster.store.read(id).orElseThrow())
        && cluster
            .store
            .find(id)
            .filter(it -> it.liveStatus().readiness() != LiveStatus.Readiness.NOT_READY)
            .isPresent();
  }

  /// Whether a status that says of which generation it is, is of this one.
  private static boolean observed(Value.Mapping object) {
    return object.mapping("status").mapping("conditionStatus").mappings("conditions").stream()
        .allMatch(condition ->
            condition
                .field("observedGeneration")
                .equals(object.mapping("metadata").field("generation")));
  }

  /// The rules that must not begin to block: all while the guard holds everything; those of a form
  /// that a person paused or detached.
  private static Set<Integer> untouchable(MovingCluster cluster) {
    var rules = new TreeSet<Integer>();
    for (int rule = 0; rule < 2; rule++) {
      if (cluster.guard == EnforceGuard.Mode.HOLD
          || isPersons(cluster, X)
          || (!cluster.exists(X) && isPersons(cluster, SUCCESSORS.get(rule)))) {
        rules.add(rule);
      }
    }
    return rules;
  }

  private static boolean isPersons(MovingCluster cluster, PolicyId id) {
    return cluster
        .store
        .find(id)
        .filter(it ->
            it.liveStatus().pause().isPresent()
                || it.annotation(OwnershipAnnotations.OWNED_BY).isEmpty())
        .filter(
            it -> id.equals(X) || Successors.of(it).filter(made -> !made.rehearses()).isPresent())
        .isPresent();
  }

  /// What decides all that comes.
  private static String key(MovingCluster cluster) {
    var state = cluster.memory.load().state();
    var actual = cluster.store.list();
    var source = cluster.options().source();
    var agreed =
        state.stillIn(
            InSyncFingerprint.current(
                Digest.of(cluster.bytes()),
                actual,
                cluster.options(),
                cluster.converting ? "0.1.0 converts" : "0.1.0",
                cluster.conversions().watched()),
            source);
    var backlog = state.backlog(source);
    var facts = new ArrayList<Object>();
    facts.add(cluster.store.contents());
    actual.byId().values().stream()
        .sorted((one, other) -> one.id().compareTo(other.id()))
        .forEach(live -> {
          facts.add(live.liveStatus().readiness());
          facts.add(observed(cluster.store.read(live.id()).orElseThrow()));
          facts.add(live.record().text());
          facts.add(state.knownGenerations().contains(live));
        });
    facts.addAll(
        List.of(
            agreed,
            backlog.begun(),
            backlog.unsent().stream().map(PolicyStatus::name).toList(),
            backlog.conflicts().keySet(),
            cluster.feed,
            cluster.converting,
            cluster.convertible,
            cluster.reports,
            cluster.guard,
            cluster.adoption,
            cluster.cluster,
            cluster.kyverno,
            cluster.refused,
            cluster.listing.isPresent(),
            cluster.lastTold));
    return Digest.of(facts.toString().getBytes(UTF_8)).text();
  }
}
