package dev.policysync.singlefault;

import dev.policysync.plan.Approval;
import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyId;
import dev.policysync.singlefault.SingleFault.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// One run's way to everything outside it: its requests are numbered, and one of them may meet the
/// fault.
final class RequestLog {
  private static final Failure NO_ANSWER = new Failure(Failure.Cause.UNREACHABLE, "no answer");
  private static final Failure SERVER_ERROR =
      new Failure(Failure.Cause.SERVER_ERROR, "etcdserver: request timed out");

  private final String run;
  private final SingleFault singleFault;
  private final World world;
  private final List<Request> requests = new ArrayList<>();
  private final Map<String, Integer> repetitions = new HashMap<>();
  private Optional<ScenarioFeed> leasedFeed = Optional.empty();
  private Optional<String> used = Optional.empty();
  private boolean leased;
  private boolean dead;
  private boolean played;
  private boolean interrupted;

  RequestLog(String run, SingleFault singleFault, World world) {
    this.run = run;
    this.singleFault = singleFault;
    this.world = world;
  }

  /// A request as it was sent.
  ///
  /// @param what with its number among the same ones of the run: `LIST ClusterPolicy #2`
  record Request(String what, Subject subject, boolean write) {}

  /// Asks something.
  ///
  /// @param earlier the answer from before the last change, where there was one
  <T> T read(String what, Subject subject, Supplier<T> now, Supplier<Optional<T>> earlier) {
    var request = arrives(what, subject, false);
    if (singleFault.is(Kind.STALE, request)) {
      var old = earlier.get();
      played = old.isPresent();
      return old.orElseGet(now);
    }
    return now.get();
  }

  /// Writes something.
  ///
  /// @param failed what the agent finds where it is done, and the answer is that failure
  <T> T write(String what, Subject subject, Supplier<T> action, Function<Failure, T> failed) {
    var request = arrives(what, subject, true);
    if (singleFault.is(Kind.KILLED_BEFORE, request)) {
      throw killed();
    }
    var done = action.get();
    if (singleFault.is(Kind.KILLED_AFTER, request)) {
      throw killed();
    }
    var failure = failure(request);
    played |= failure.isPresent();
    return failure.isPresent() ? failed.apply(failure.get()) : done;
  }

  private Optional<Failure> failure(String request) {
    if (singleFault.is(Kind.LOST, request)) {
      return Optional.of(NO_ANSWER);
    }
    return singleFault.is(Kind.MISREPORTED, request) ? Optional.of(SERVER_ERROR) : Optional.empty();
  }

  private String arrives(String what, Subject subject, boolean write) {
    if (dead) {
      throw new KilledRun();
    }
    var request = what + " #" + repetitions.merge(what, 1, Integer::sum);
    requests.add(new Request(request, subject, write));
    goesOn();
    if (singleFault.is(Kind.UNOBSERVED, request)) {
      played = singleFault.happening().play().by(world);
      interrupted = played;
    }
    return request;
  }

  /// Lets end what lasts for one request.
  void goesOn() {
    if (interrupted) {
      interrupted = false;
      var _ = singleFault.happening().then().by(world);
    }
  }

  /// Whether somebody else did something to that in the middle of the run.
  boolean touched(PolicyId id) {
    return played && singleFault.happening().touches().test(new Subject.One(id));
  }

  /// Whether the run went by an answer that was no longer true.
  boolean misled() {
    return played && singleFault.kind() == Kind.STALE;
  }

  private KilledRun killed() {
    dead = true;
    played = true;
    return new KilledRun();
  }

  String run() {
    return run;
  }

  boolean dead() {
    return dead;
  }

  /// Whether the fault found anything to do.
  boolean played() {
    return played;
  }

  /// Whether somebody did something right before the request that is under way.
  boolean interrupted() {
    return interrupted;
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  List<Request> writes() {
    return requests.stream().filter(Request::write).toList();
  }

  /// Takes down that the request under way has used an approval up.
  void used(Approval.Of what) {
    used = Optional.of(requests.getLast().what());
    world.writeJudge.used(this, what);
  }

  /// The request that used an approval up.
  Optional<String> used() {
    return used;
  }

  void leased() {
    leased = true;
  }

  /// Takes down which feed the run was given.
  void given(ScenarioFeed scenarioFeed) {
    if (leased) {
      leasedFeed = Optional.of(scenarioFeed);
    }
  }

  /// The feed that the run read under the Lease, by which alone it may write.
  Optional<ScenarioFeed> leasedFeed() {
    return leasedFeed;
  }
}
