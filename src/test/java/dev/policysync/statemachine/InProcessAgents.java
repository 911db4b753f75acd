package dev.policysync.statemachine;

import dev.policysync.base.Secret;
import dev.policysync.harness.FakeInsights;
import dev.policysync.plan.PlannerOptions;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.policy.kyverno.KyvernoVersion;
import dev.policysync.policy.kyverno.NotReady;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.KubeApi;
import dev.policysync.remote.cluster.KyvernoHealthLease;
import dev.policysync.remote.cluster.lease.LeaseLock;
import dev.policysync.remote.cluster.lease.LeaseRunStateStore;
import dev.policysync.remote.cluster.policy.ClusterPolicies;
import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.remote.insights.InsightsConnection;
import dev.policysync.remote.insights.WithoutWaiting;
import dev.policysync.sync.EventSink;
import dev.policysync.sync.FakeTime;
import dev.policysync.sync.Summary;
import dev.policysync.sync.SyncLock;
import dev.policysync.sync.SyncOptions;
import dev.policysync.sync.SyncPorts;
import dev.policysync.sync.Synchronizer;
import dev.policysync.sync.analysis.ExecutionSource;
import dev.policysync.sync.analysis.PolicyLinter;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.succession.Conversions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// Runs of the agent in this JVM, put together as the program does it, each over a
/// [FaultyTransport] of its own. Only its waiting takes no time.
final class InProcessAgents implements AutoCloseable {
  private static final String PAGE = "3";
  private static final Duration TIMEOUT = Duration.ofMinutes(4);
  private static final Duration LOCK_WAIT = Duration.ofSeconds(65);

  private final ClusterConnection cluster;
  private final String namespace;
  private final Connections connections = Connections.plain(ProxyRules.none());
  private final FakeInsights insights;
  private final FakeTime time;
  private final SimulatedClock simulatedClock;
  private final StatusInbox statusInbox;
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicInteger order = new AtomicInteger();

  /// @param namespace of the Lease
  InProcessAgents(
      ClusterConnection cluster,
      String namespace,
      FakeInsights insights,
      FakeTime time,
      SimulatedClock simulatedClock,
      StatusInbox statusInbox) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.insights = insights;
    this.time = time;
    this.simulatedClock = simulatedClock;
    this.statusInbox = statusInbox;
  }

  /// A run that has ended.
  record Run(RunConditions runConditions, FaultyTransport faultyTransport, RunEnd runEnd) {
    boolean wrote() {
      return !faultyTransport.sent().isEmpty();
    }

    @Override
    public String toString() {
      return runConditions + " -> " + runEnd;
    }
  }

  /// Runs once.
  Run run(RunConditions runConditions) {
    return run(runConditions, insights.url());
  }

  /// Runs once, with the feed from somewhere else.
  Run run(RunConditions runConditions, String feed) {
    var stop = new Cancellation(TIMEOUT, time::nanoTime);
    var faultyTransport = new FaultyTransport(runConditions.faultInjection(), stop, order);
    var name = "run-" + runs.incrementAndGet();
    statusInbox.open("policy-sync/" + name, faultyTransport, runConditions);
    return new Run(
        runConditions, faultyTransport, ended(name, runConditions, feed, faultyTransport, stop));
  }

  private RunEnd ended(
      String name,
      RunConditions runConditions,
      String feed,
      FaultyTransport faultyTransport,
      Cancellation stop) {
    try {
      var result = synchronizer(name, runConditions, feed, faultyTransport, stop).run();
      return faultyTransport.dead()
          ? new RunEnd.Killed()
          : new RunEnd.Said(
              Summary.of(result, runConditions.writeMode(), Duration.ZERO, Instant.EPOCH));
    } catch (SimulatedKill | IllegalStateException e) {
      if (faultyTransport.dead()) {
        return new RunEnd.Killed();
      }
      throw e;
    }
  }

  private Synchronizer synchronizer(
      String name,
      RunConditions runConditions,
      String feed,
      FaultyTransport faultyTransport,
      Cancellation stop) {
    var http =
        cluster
            .http()
            .newBuilder()
            .addInterceptor(InProcessAgents::inSmallPages)
            .addInterceptor(faultyTransport)
            .build();
    var source = new SourceName(runConditions.source());
    var connection = new ClusterConnection(cluster.server(), http, namespace, () -> {});
    var held = new AtomicReference<SyncLock.@Nullable Held>();
    SyncLock lock =
        wait -> {
          var attempt =
              simulatedClock.noting(() ->
                  new LeaseLock(connection, namespace, name, time.clock(), simulatedClock)
                      .acquire(wait));
          if (attempt instanceof SyncLock.Attempt.Taken(var lease)) {
            held.set(lease);
          }
          return attempt;
        };
    return new Synchronizer(
        new SyncPorts(
            WithoutWaiting.feed(connections, api(feed, source), name),
            new ClusterPolicies(connection, Set.of(), () -> mayWrite(held.get())),
            lock,
            new LeaseRunStateStore(connection, namespace, Optional.empty()),
            Optional.of(WithoutWaiting.statuses(connections, api(insights.url(), source), name)),
            EventSink.NONE,
            PolicyLinter.NONE,
            ViolationSource.UNKNOWN,
            kyverno(connection),
            new Conversions.Off()),
        new SyncOptions(
            new PlannerOptions(
                source, runConditions.adoption(), runConditions.expectedRemovalBudget().budget()),
            runConditions.writeMode(),
            false,
            runConditions.concurrency(),
            LOCK_WAIT,
            "0.1.0",
            Optional.empty()),
        stop,
        time.clock(),
        Progress.NONE);
  }

  /// Kyverno as far as a cluster without it can show one: nobody here turns a policy's status.
  private ExecutionSource kyverno(ClusterConnection connection) {
    return new ExecutionSource() {
      @Override
      public Optional<NotReady> notReady(PolicyId id) {
        return Optional.empty();
      }

      @Override
      public Optional<KyvernoVersion> installed() {
        return Optional.empty();
      }

      @Override
      public KyvernoHealth health() {
        return new KyvernoHealthLease(new KubeApi(connection), time.clock()).read();
      }
    };
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

  private static InsightsConnection api(String url, SourceName source) {
    var name = source.text().split("/", 2);
    return InsightsConnection.of(url, name[0], name[1], Secret.of(FakeInsights.TOKEN));
  }

  @Override
  public void close() {
    connections.close();
  }
}
