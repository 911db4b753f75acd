package dev.policysync.faults;

import dev.policysync.faults.Fault.DoneAndRefused;
import dev.policysync.faults.Fault.HalfAnswer;
import dev.policysync.faults.Fault.Late;
import dev.policysync.faults.Fault.LostAnswer;
import dev.policysync.faults.Fault.LostRequest;
import dev.policysync.faults.Fault.None;
import dev.policysync.faults.Fault.Refused;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/// Which requests meet which fault.
interface FaultSchedule {
  /// Every request is answered as it should be.
  FaultSchedule CALM = _ -> new None();

  /// One request.
  ///
  /// @param target its path and query: `/apis/kyverno.io/v1/clusterpolicies?limit=2`
  /// @param repetition how often that path was asked with that method before, since the weather
  ///   changed
  record Asked(String method, String target, int repetition) {
    String path() {
      var query = target.indexOf('?');
      return query < 0 ? target : target.substring(0, query);
    }

    boolean reads() {
      return method.equals("GET");
    }

    /// Whether it is for a page of a list after the first.
    boolean continues() {
      return target.contains("continue=");
    }
  }

  Fault fault(Asked asked);

  /// Of a hundred requests about so many meet a fault, each of any kind: the same ones for the same
  /// seed, however requests follow one another.
  static FaultSchedule rough(long seed, int percent) {
    return asked -> {
      var what = asked.method() + asked.path() + asked.repetition();
      var random = new SplittableRandom(seed ^ ((long) what.hashCode() << 20));
      random.nextInt(); // the first draws of neighbouring seeds are alike
      return random.nextInt(100) < percent ? any(random, asked) : new None();
    };
  }

  private static Fault any(SplittableRandom random, Asked asked) {
    return switch (random.nextInt(12)) {
      case 0 -> new Late(Duration.ofMillis(50 + random.nextInt(400)));
      case 1, 2 -> new LostRequest();
      case 3, 4 -> new LostAnswer();
      case 5 -> new HalfAnswer(true);
      case 6 -> new HalfAnswer(false);
      case 7 -> new Refused(429, Optional.of(random.nextInt(4) / 3), "too many requests");
      case 8 -> new DoneAndRefused(500, "etcdserver: request timed out");
      case 9 -> new DoneAndRefused(504, "Timeout: request did not complete within the time");
      case 10 ->
          asked.continues()
              ? new Refused(410, Optional.empty(), "The provided continue parameter is too old")
              : new Refused(401, Optional.empty(), "Unauthorized");
      default -> serverError(random);
    };
  }

  private static Fault serverError(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> new Refused(500, Optional.empty(), "etcdserver: leader changed");
      case 1 -> new Refused(502, Optional.empty(), "bad gateway");
      case 2 -> new Refused(503, Optional.empty(), "apiserver not ready");
      default -> new Refused(503, Optional.of(0), "storage is (re)initializing");
    };
  }
}
