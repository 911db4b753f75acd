package dev.policysync.statemachine;

import dev.policysync.cluster.ClusterConnection;
import dev.policysync.cluster.ClusterPolicies;
import dev.policysync.cluster.LeaseLock;
import dev.policysync.cluster.LeaseMemory;
import dev.policysync.harness.FakeInsights;
import dev.policysync.http.Connections;
import dev.policysync.http.ProxyRules;
import dev.policysync.http.Secret;
import dev.policysync.insights.InsightsConnection;
import dev.policysync.insights.PlainHttp;
import dev.policysync.insights.WithoutWaiting;
import dev.policysync.plan.Rules;
import dev.policysync.plan.SourceName;
import dev.policysync.sync.EventSink;
import dev.policysync.sync.FakeTime;
import dev.policysync.sync.Progress;
import dev.policysync.sync.StopSign;
import dev.policysync.sync.Summary;
import dev.policysync.sync.SyncLock;
import dev.policysync.sync.Synchronizer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// Runs of the agent in this JVM, put together as the program does it, each over a [Wire] of its
/// own. Only its waiting takes no time.
final class Agents implements AutoCloseable {
  private static final String PAGE = "3";
  private static final Duration TIMEOUT = Duration.ofMinutes(4);
  private static final Duration LOCK_WAIT = Duration.ofSeconds(65);

  private final ClusterConnection cluster;
  private final String namespace;
  private final Connections connections = Connections.plain(ProxyRules.none());
  private final FakeInsights insights;
  private final FakeTime time;
  private final Clockwork clockwork;
  private final Mailbox mailbox;
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicInteger order = new AtomicInteger();

  /// @param namespace of the Lease
  Agents(
      ClusterConnection cluster,
      String namespace,
      FakeInsights insights,
      FakeTime time,
      Clockwork clockwork,
      Mailbox mailbox) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.insights = insights;
    this.time = time;
    this.clockwork = clockwork;
    this.mailbox = mailbox;
  }

  /// A run that has ended.
  record Run(Conditions conditions, Wire wire, Ended ended) {
    boolean wrote() {
      return !wire.sent().isEmpty();
    }

    @Override
    public String toString() {
      return conditions + " -> " + ended;
    }
  }

  /// Runs once.
  Run run(Conditions conditions) {
    return run(conditions, insights.url());
  }

  /// Runs once, with the feed from somewhere else.
  Run run(Conditions conditions, String feed) {
    var stop = new StopSign(TIMEOUT, time::nanoTime);
    var wire = new Wire(conditions.trouble(), stop, order);
    var name = "run-" + runs.incrementAndGet();
    mailbox.open("policy-sync/" + name, wire, conditions.trouble());
    return new Run(conditions, wire, ended(name, conditions, feed, wire, stop));
  }

  private Ended ended(String name, Conditions conditions, String feed, Wire wire, StopSign stop) {
    try {
      var result = synchronizer(name, conditions, feed, wire, stop).run();
      return wire.dead()
          ? new Ended.Killed()
          : new Ended.Said(Summary.of(result, conditions.mode(), Duration.ZERO));
    } catch (Killed | IllegalStateException e) {
      if (wire.dead()) {
        return new Ended.Killed();
      }
      throw e;
    }
  }

  private Synchronizer synchronizer(
      String name, Conditions conditions, String feed, Wire wire, StopSign stop) {
    var http =
        cluster
            .http()
            .newBuilder()
            .addInterceptor(Agents::inSmallPages)
            .addInterceptor(wire)
            .build();
    var connection = new ClusterConnection(cluster.server(), http, namespace, () -> {});
    var held = new AtomicReference<SyncLock.@Nullable Held>();
    SyncLock lock =
        wait -> {
          var attempt =
              clockwork.noting(
                  new LeaseLock(connection, namespace, name, time.clock(), clockwork)
                      .acquire(wait));
          if (attempt instanceof SyncLock.Attempt.Taken(var lease)) {
            held.set(lease);
          }
          return attempt;
        };
    return new Synchronizer(
        new Synchronizer.Ports(
            WithoutWaiting.feed(connections, api(feed), name),
            new ClusterPolicies(connection, () -> mayWrite(held.get())),
            lock,
            new LeaseMemory(connection, namespace, Optional.empty()),
            Optional.of(WithoutWaiting.statuses(connections, api(insights.url()), name)),
            EventSink.NONE),
        new Synchronizer.Options(
            new Rules(
                new SourceName(Thing.SOURCE),
                conditions.adoption(),
                conditions.allowance().budget()),
            conditions.mode(),
            false,
            conditions.concurrency(),
            LOCK_WAIT,
            "0.1.0"),
        stop,
        time.clock(),
        Progress.NONE);
  }

  private static boolean mayWrite(SyncLock.@Nullable Held lease) {
    return lease == null || lease.stillOurs();
  }

  /// No list is so short that it is never more than a page.
  private static Response inSmallPages(Interceptor.Chain chain) throws IOException {
    var request = chain.request();
    var url = request.url();
    return chain.proceed(
        url.queryParameter("limit") == null
            ? request
            : request
                .newBuilder()
                .url(url.newBuilder().setQueryParameter("limit", PAGE).build())
                .build());
  }

  private static InsightsConnection api(String url) {
    return InsightsConnection.of(
        url, PlainHttp.TO_LOOPBACK_ONLY, "acme", "prod-1", Secret.of(FakeInsights.TOKEN));
  }

  @Override
  public void close() {
    connections.close();
  }
}
