package dev.policysync.statemachine;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;

import dev.policysync.harness.FakeInsights;
import dev.policysync.http.RawServer;
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
  private final Clockwork clockwork = new Clockwork(time);
  private final Mailbox mailbox = new Mailbox();
  private final Agents agents;
  private final Lease lease;
  private final Books books = new Books();
  private final Oracle oracle;
  private final Set<Key> touched = new HashSet<>();
  private final List<Agents.Run> others = new ArrayList<>();
  private final List<String> story = new ArrayList<>();
  private Feed feed = Feed.EMPTY;
  private Feed lastGood = Feed.EMPTY;
  private Snapshot live;
  private Snapshot before;
  private int mostOwned;

  /// @param number of the world, for a Lease that no other one had
  World(Sandbox sandbox, int number) {
    this.sandbox = sandbox;
    this.cluster = sandbox.cluster();
    this.admin = sandbox.admin();
    this.namespaces = List.of(sandbox.namespace("shop"), sandbox.namespace("store"));
    var own = sandbox.namespace("agent-" + number);
    this.lease = new Lease(admin, own);
    this.oracle = new Oracle(admin, namespaces.getFirst());
    this.agents =
        new Agents(cluster.connect(cluster.adminToken()), own, insights, time, clockwork, mailbox);
    insights.atEachStatusTaken(mailbox::take);
    awaitStorage();
    this.live = Snapshot.of(admin);
    this.before = live;
  }

  /// A custom resource is served a moment before its objects can be listed.
  private void awaitStorage() {
    for (var kind : Kind.values()) {
      Awaitility.await("the API server to list " + kind)
          .until(() -> admin.get(kind.everywhere()).status() != 429);
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

  Books books() {
    return books;
  }

  Oracle oracle() {
    return oracle;
  }

  AuditLog auditLog() {
    return cluster.auditLog();
  }

  /// How many statuses the API has taken.
  int statuses() {
    return mailbox.size();
  }

  List<Mailbox.Status> statusesSince(int size) {
    return mailbox.since(size);
  }

  Feed feed() {
    return feed;
  }

  /// The last feed that was not empty and nothing was wrong with.
  Feed lastGood() {
    return lastGood;
  }

  void publish(Feed other) {
    feed = other;
    if (other.complete() && !other.empty()) {
      lastGood = other;
    }
  }

  /// What people see.
  Snapshot live() {
    return live;
  }

  /// Somebody has put a hand on that object: what a run under way does to it from now on, it does
  /// to what is there now.
  void touched(Key key) {
    live = live.refreshed(key, admin);
    before = before.refreshed(key, admin);
    mostOwned = Math.max(mostOwned, before.owned());
    touched.add(key);
  }

  /// Plays a run, or several at once, after that time.
  Episode play(Duration wait, List<Conditions> conditions) {
    var first = conditions.getFirst();
    insights.answers(first.answer().with(feed));
    insights.answersStatuses(aResponse().withStatus(first.listening() ? 200 : 500));
    time.advance(wait);
    before = live;
    touched.clear();
    others.clear();
    mostOwned = before.owned();
    var began = time.clock().instant();
    var told = mailbox.size();
    var approval = lease.approval();
    var leaseBefore = lease.read();
    var runs = new ArrayList<>(run(conditions));
    runs.addAll(others);
    runs.forEach(run -> tell(run.toString()));
    live = Snapshot.of(admin);
    return new Episode(
        first.answer().says(feed),
        List.copyOf(runs),
        before,
        Set.copyOf(touched),
        live,
        mostOwned,
        mailbox.since(told),
        began,
        approval,
        leaseBefore,
        lease.read());
  }

  /// Lets somebody do something, and tells what it was.
  void happens(Deed deed, Random random) {
    tell(deed.play(this, random));
  }

  /// Lets somebody get at an object before whoever was about to write it.
  void snatch(Key key, Random random) {
    tell("SNATCHES " + key + " " + new People(this, random).snatch(key));
  }

  /// Lets another run do its work while the one that calls this stands still.
  void whileFrozen(Conditions conditions) {
    time.advance(LONGER_THAN_A_LEASE);
    clockwork.whileFrozen(() -> others.add(agents.run(conditions)));
  }

  /// Lets the feed change, and another run write what it says now, while the one that calls this
  /// has yet to get the Lease.
  void whileOvertaken(Deed deed, Random random, Conditions its) {
    happens(deed, random);
    insights.answers(its.answer().with(feed));
    others.add(agents.run(its));
  }

  /// Adds a line to the story of what happened.
  void tell(String line) {
    story.add(line);
  }

  /// The end of the story.
  List<String> story(int lines) {
    return story.subList(Math.max(0, story.size() - lines), story.size());
  }

  private List<Agents.Run> run(List<Conditions> conditions) {
    var raw = conditions.getFirst().answer().raw(feed);
    if (raw.isEmpty()) {
      return together(conditions, insights.url());
    }
    try (var server = RawServer.answering(raw.get())) {
      return together(conditions, server.url());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot answer badly", e);
    }
  }

  private List<Agents.Run> together(List<Conditions> conditions, String url) {
    if (conditions.size() == 1) {
      return List.of(agents.run(conditions.getFirst(), url));
    }
    var runs = new ArrayList<Agents.Run>();
    try (var threads = Executors.newFixedThreadPool(conditions.size())) {
      var pending =
          conditions.stream().map(one -> threads.submit(() -> agents.run(one, url))).toList();
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
    agents.close();
    insights.close();
    new People(this, new Random(0)).finishAllDeletions();
    sandbox.close();
  }
}
