package dev.policysync.cluster;

import dev.policysync.sync.Failure;
import dev.policysync.sync.SyncLock;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoordinationV1Api;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Clock;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The Lease `kyverno-policy-sync-lock`: whoever is its holder may write (promise 9).
///
/// Whether another holder's Lease has expired is judged by our own monotonic clock: it has if we
/// saw its record unchanged for the record's own duration. So no clock of another machine is
/// believed, and agents with other durations are honoured. Every change of the record is made at
/// the resourceVersion that was read; of two who try, one gets a 409.
public final class LeaseLock implements SyncLock {
  /// The name that the Go agent uses too, so that old and new exclude each other while one replaces
  /// the other.
  public static final String NAME = "kyverno-policy-sync-lock";

  /// Long enough to lose several renewals, short enough that a crashed holder costs others little.
  static final Duration DURATION = Duration.ofSeconds(60);

  private static final int CONFLICT = 409;
  private static final int NOT_FOUND = 404;
  private static final Duration POLL = Duration.ofSeconds(1);

  /// How often a renewal starts over because somebody else wrote to the Lease meanwhile.
  private static final int ATTEMPTS = 5;

  private final CoordinationV1Api leases;
  private final String namespace;
  private final String identity;
  private final Clock clock;
  private final Ticker ticker;

  /// A monotonic clock to wait by.
  public interface Ticker {
    /// As `System.nanoTime`.
    long nanoTime();

    /// Waits that long; false if it was woken to stop.
    boolean pause(Duration time) throws InterruptedException;
  }

  /// The Lease in that namespace, to be held under that identity, which no other run may share.
  public LeaseLock(
      ClusterConnection connection, String namespace, String identity, Clock clock, Ticker ticker) {
    var client = new ApiClient(connection.http());
    client.setBasePath(connection.server().toString().replaceAll("/$", ""));
    client.setUserAgent(KubeApi.USER_AGENT);
    this.leases = new CoordinationV1Api(client);
    this.namespace = namespace;
    this.identity = identity;
    this.clock = clock;
    this.ticker = ticker;
  }

  @Override
  public Attempt acquire(Duration wait) {
    try {
      return acquireWithin(wait);
    } catch (ApiException e) {
      return new Attempt.Unavailable(failure(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.HeldBy("nobody known: interrupted while waiting");
    }
  }

  private Attempt acquireWithin(Duration wait) throws ApiException, InterruptedException {
    var end = ticker.nanoTime() + wait.toNanos();
    Optional<Seen> seen = Optional.empty();
    while (true) {
      var asked = ticker.nanoTime();
      var lease = read();
      if (lease.isEmpty()) {
        var created = write(() -> leases.createNamespacedLease(namespace, fresh()).execute());
        if (created.isPresent()) {
          return taken(created.get(), asked);
        }
        continue;
      }
      var record = record(lease.get());
      seen = Optional.of(Seen.of(record, seen, ticker.nanoTime()));
      if (free(record) || seen.get().expired(ticker.nanoTime())) {
        var replaced = write(() -> replace(lease.get(), claim(record)));
        if (replaced.isPresent()) {
          return taken(replaced.get(), asked);
        }
        continue;
      }
      var left = Duration.ofNanos(end - ticker.nanoTime());
      if (!left.isPositive()) {
        return new Attempt.HeldBy(Objects.requireNonNullElse(record.getHolderIdentity(), ""));
      }
      if (!ticker.pause(left.compareTo(POLL) < 0 ? left : POLL)) {
        return new Attempt.HeldBy(Objects.requireNonNullElse(record.getHolderIdentity(), ""));
      }
    }
  }

  private Attempt taken(V1Lease lease, long asked) {
    return new Attempt.Taken(new HeldLease(this, lease, asked, ticker));
  }

  private Optional<V1Lease> read() throws ApiException {
    try {
      return Optional.of(leases.readNamespacedLease(NAME, namespace).execute());
    } catch (ApiException e) {
      if (e.getCode() == NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /// A write that another may have got before us.
  private static Optional<V1Lease> write(Request request) throws ApiException {
    try {
      return Optional.of(request.execute());
    } catch (ApiException e) {
      if (e.getCode() == CONFLICT) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private V1Lease replace(V1Lease lease, V1LeaseSpec spec) throws ApiException {
    return leases.replaceNamespacedLease(NAME, namespace, lease.spec(spec)).execute();
  }

  /// Renews our hold; empty if the Lease is not ours any more.
  Optional<V1Lease> renew(V1Lease held) throws ApiException {
    return change(held, spec -> spec.renewTime(now()));
  }

  /// Gives it back by emptying the holder.
  void release(V1Lease held) throws ApiException {
    var _ = change(held, spec -> spec.holderIdentity("").renewTime(now()));
  }

  /// Changes the record as long as we are its holder. A conflict alone does not mean that we are
  /// not: somebody may have annotated the Lease, or the answer to our own last write was lost.
  private Optional<V1Lease> change(V1Lease held, UnaryOperator<V1LeaseSpec> change)
      throws ApiException {
    var latest = Optional.of(held);
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var lease = latest.filter(this::ours);
      if (lease.isEmpty()) {
        return Optional.empty();
      }
      var written = write(() -> replace(lease.get(), change.apply(record(lease.get()))));
      if (written.isPresent()) {
        return written;
      }
      latest = read();
    }
    return Optional.empty();
  }

  private boolean ours(V1Lease lease) {
    return identity.equals(record(lease).getHolderIdentity());
  }

  private static V1LeaseSpec record(V1Lease lease) {
    return Objects.requireNonNullElseGet(lease.getSpec(), V1LeaseSpec::new);
  }

  private static boolean free(V1LeaseSpec record) {
    return record.getHolderIdentity() == null || record.getHolderIdentity().isEmpty();
  }

  private V1Lease fresh() {
    return new V1Lease()
        .metadata(new V1ObjectMeta().name(NAME).namespace(namespace))
        .spec(claim(new V1LeaseSpec().leaseTransitions(-1)));
  }

  /// Our own record in place of another holder's, or of none.
  private V1LeaseSpec claim(V1LeaseSpec before) {
    var transitions = Objects.requireNonNullElse(before.getLeaseTransitions(), 0);
    return new V1LeaseSpec()
        .holderIdentity(identity)
        .leaseDurationSeconds((int) DURATION.toSeconds())
        .acquireTime(now())
        .renewTime(now())
        .leaseTransitions(transitions + 1);
  }

  private OffsetDateTime now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  private Failure failure(ApiException e) {
    var what = "take the Lease " + namespace + "/" + NAME + ": ";
    return switch (e.getCode()) {
      case 0 ->
          new Failure(
              Failure.Cause.UNREACHABLE, what + Objects.requireNonNullElse(e.getMessage(), ""));
      case 401 -> new Failure(Failure.Cause.UNAUTHORIZED, what + "HTTP 401, the token is refused");
      case 403 ->
          new Failure(
              Failure.Cause.FORBIDDEN,
              what
                  + "HTTP 403; the agent's Role in namespace "
                  + namespace
                  + " needs get, create and update on leases.coordination.k8s.io");
      case NOT_FOUND ->
          new Failure(
              Failure.Cause.NOT_FOUND,
              what
                  + "HTTP 404; does the namespace "
                  + namespace
                  + " exist? NAMESPACE names another one");
      default -> new Failure(Failure.Cause.SERVER_ERROR, what + "HTTP " + e.getCode());
    };
  }

  private interface Request {
    V1Lease execute() throws ApiException;
  }

  /// A record of another holder, and since when we have seen it unchanged.
  private record Seen(V1LeaseSpec record, long since) {
    static Seen of(V1LeaseSpec record, Optional<Seen> before, long now) {
      return before
          .filter(seen -> seen.record.equals(record))
          .orElseGet(() -> new Seen(record, now));
    }

    boolean expired(long now) {
      var seconds = Objects.requireNonNullElse(record.getLeaseDurationSeconds(), 0);
      return now - since >= Duration.ofSeconds(seconds).toNanos();
    }
  }
}
