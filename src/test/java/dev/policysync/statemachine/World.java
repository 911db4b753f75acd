package dev.policysync.statemachine;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;

import dev.policysync.harness.FakeInsights;
import dev.policysync.remote.http.RawServer;
import dev.policysync.sync.FakeTime;
import dev.policysync.testcluster.AuditLog;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;

/// The cluster, the remote API, the time and the people of one play.
final class World implements AutoCloseable {
  private static final Duration LONGER_THAN_A_LEASE = Duration.ofSeconds(61);

  private final Sandbox sandbox;
  private final TestCluster cluster;
  private final RawApi admin;
  private final List<String> namespaces;
  private final FakeInsights insights = new FakeInsights();
  private final FakeTime time = new FakeTime();
  private final SimulatedClock simulatedClock = new SimulatedClock(time);
  private final StatusInbox statusInbox = new StatusInbox();
  private final InProcessAgents inProcessAgents;
  private final Lease lease;
  private final ModelState modelState = new ModelState();
  private final Oracle oracle;
  private final Set<ObjectKey> touched = new HashSet<>();
  private final List<InProcessAgents.Run> others = new ArrayList<>();
  private final List<String> story = new ArrayList<>();
  private ModelFeed modelFeed = ModelFeed.EMPTY;
  private ModelFeed lastGood = ModelFeed.EMPTY;
  private Snapshot live;
  private Snapshot before;
  private int mostOwned;
  private boolean kyvernoRuns = true;
  private boolean kyvernoChanged;

  /// @param number of the world, for a Lease that no other one had
  World(Sandbox sandbox, int number) {
    this.sandbox = sandbox;
    this.cluster = sandbox.cluster();
    this.admin = sandbox.admin();
    this.namespaces = List.of(sandbox.namespace("shop"), sandbox.namespace("store"));
    var own = sandbox.namespace("agent-" + number);
    this.lease = new Lease(admin, own);
    this.oracle = new Oracle(admin, namespaces.getFirst());
    this.inProcessAgents =
        new InProcessAgents(
            cluster.connect(cluster.adminToken()),
            own,
            insights,
            time,
            simulatedClock,
            statusInbox);
    insights.atEachStatusTaken(statusInbox::take);
    awaitStorage();
    this.live = Snapshot.of(admin);
    this.before = live;
  }

  /// A custom resource is served a moment before its objects can be listed.
  private void awaitStorage() {
    for (var modelKind : ModelKind.values()) {
      Awaitility.await("the API server to list " + modelKind)
          .until(() -> admin.get(modelKind.everywhere()).status() != 429);
    }
  }

  RawApi admin() {
    return admin;
  }

  List<String> namespaces() {
    return namespaces;
  }

  Lease lease() {
    return lease;
  }

  ModelState books() {
    return modelState;
  }

  Oracle oracle() {
    return oracle;
  }

  AuditLog auditLog() {
    return cluster.auditLog();
  }

  /// How many statuses the API has taken.
  int statuses() {
    return statusInbox.size();
  }

  List<StatusInbox.Status> statusesSince(int size) {
    return statusInbox.since(size);
  }

  ModelFeed feed() {
    return modelFeed;
  }

  /// The last feed that was not empty and nothing was wrong with.
  ModelFeed lastGood() {
    return lastGood;
  }

  void publish(ModelFeed other) {
    modelFeed = other;
    if (other.complete() && !other.empty()) {
      lastGood = other;
    }
  }

  /// Takes the Lease away by which a run sees that Kyverno is running.
  void stopKyverno() {
    cluster.stopKyverno();
    kyvernoChanged |= kyvernoRuns;
    kyvernoRuns = false;
  }

  /// Brings it back.
  void startKyverno() {
    cluster.letKyvernoRun();
    kyvernoChanged |= !kyvernoRuns;
    kyvernoRuns = true;
  }

  /// Somebody has made unreadable what runs left for each other.
  void spoilMemory() {
    modelState.spoilMemory(time.clock().instant());
  }

  /// What people see.
  Snapshot live() {
    return live;
  }

  /// Somebody has put a hand on that object: what a run under way does to it from now on, it does
  /// to what is there now.
  void touched(ObjectKey objectKey) {
    live = live.refreshed(objectKey, admin);
    before = before.refreshed(objectKey, admin);
    mostOwned = Math.max(mostOwned, before.owned());
    touched.add(objectKey);
  }

  /// Plays a run, or several at once, after that time.
  Episode play(Duration wait, List<RunConditions> conditions) {
    var first = conditions.getFirst();
    insights.answers(first.feedResponse().with(modelFeed));
    insights.answersStatuses(aResponse().withStatus(first.listening() ? 200 : 500));
    time.advance(wait);
    before = live.to(first.source());
    touched.clear();
    others.clear();
    mostOwned = before.owned();
    kyvernoChanged = false;
    var began = time.clock().instant();
    var told = statusInbox.size();
    var approval = lease.approval();
    var leaseBefore = lease.read();
    var runs = new ArrayList<>(run(conditions));
    runs.addAll(others);
    runs.forEach(run -> tell(run.toString()));
    live = Snapshot.of(admin);
    var after = live.to(first.source());
    return new Episode(
        first.feedResponse().says(modelFeed),
        List.copyOf(runs),
        before,
        Set.copyOf(touched),
        after,
        mostOwned,
        statusInbox.since(told),
        began,
        approval,
        leaseBefore,
        lease.read(),
        kyvernoChanged ? Optional.empty() : Optional.of(kyvernoRuns));
  }

  /// Lets somebody do something, and tells what it was.
  void happens(ExternalAction externalAction, Random random) {
    tell(externalAction.play(this, random));
  }

  /// Lets somebody get at an object before whoever was about to write it.
  void snatch(ObjectKey objectKey, Random random) {
    tell("SNATCHES " + objectKey + " " + new ClusterUsers(this, random).snatch(objectKey));
  }

  /// Lets another run do its work while the one that calls this stands still.
  void whileFrozen(RunConditions runConditions) {
    time.advance(LONGER_THAN_A_LEASE);
    simulatedClock.whileFrozen(() -> others.add(inProcessAgents.run(runConditions)));
  }

  /// Lets the feed change, and another run write what it says now, while the one that calls this
  /// has yet to get the Lease.
  void whileOvertaken(ExternalAction externalAction, Random random, RunConditions its) {
    happens(externalAction, random);
    insights.answers(its.feedResponse().with(modelFeed));
    simulatedClock.whileFrozen(() -> others.add(inProcessAgents.run(its)));
  }

  /// Adds a line to the story of what happened.
  void tell(String line) {
    story.add(line);
  }

  /// The end of the story.
  List<String> story(int lines) {
    return story.subList(Math.max(0, story.size() - lines), story.size());
  }

  private List<InProcessAgents.Run> run(List<RunConditions> conditions) {
    var raw = conditions.getFirst().feedResponse().raw(modelFeed);
    if (raw.isEmpty()) {
      return together(conditions, insights.url());
    }
    try (var server = RawServer.answering(raw.get())) {
      return together(conditions, server.url());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot answer badly", e);
    }
  }

  private List<InProcessAgents.Run> together(List<RunConditions> conditions, String url) {
    if (conditions.size() == 1) {
      return List.of(inProcessAgents.run(conditions.getFirst(), url));
    }
    var runs = new ArrayList<InProcessAgents.Run>();
    try (var threads = Executors.newFixedThreadPool(conditions.size())) {
      var pending =
          conditions.stream()
              .map(one -> threads.submit(() -> inProcessAgents.run(one, url)))
              .toList();
      for (var run : pending) {
        runs.add(run.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a run threw", e.getCause());
    }
    return runs;
  }

  @Override
  public void close() {
    inProcessAgents.close();
    insights.close();
    new ClusterUsers(this, new Random(0)).removeAllFinalizers();
    startKyverno();
    sandbox.close();
  }
}
