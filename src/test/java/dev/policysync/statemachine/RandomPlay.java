package dev.policysync.statemachine;

import static java.util.stream.Collectors.joining;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.policysync.testcluster.Address;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.Shrinker;
import dev.policysync.testcluster.TestCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import okhttp3.HttpUrl;
import org.slf4j.LoggerFactory;

/// Plays of one seed, each in a world of its own.
public final class RandomPlay {
  private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.policysync");
  private static final int STORY = 80;

  private final Sandbox sandbox;
  private final long seed;
  private int worlds;

  RandomPlay(Sandbox sandbox, long seed) {
    this.sandbox = sandbox;
    this.seed = seed;
  }

  /// How a play failed.
  ///
  /// @param moves up to the one that failed
  record Failed(List<StepMove> moves, Throwable why, List<String> story) {
    /// Whether it is the same promise, or the same that nobody thought of.
    private boolean like(Failed other) {
      return why.getClass() == other.why.getClass()
          && (!(why instanceof RunInvariants.Broken broken)
              || (other.why instanceof RunInvariants.Broken theirs
                  && broken.promise().equals(theirs.promise())));
    }

    /// `step 14, move 37: an empty feed removes nothing: …`.
    String line() {
      return "step %d, move %d: %s"
          .formatted(moves.getLast().step(), moves.size(), why.getMessage());
    }

    /// All that is to be known of it.
    ///
    /// @param before how many moves it had before it was shrunk
    private String text(long seed, int before) {
      return "of %d moves %d are enough, -Dpolicysync.seed=%d -Dpolicysync.moves=%s: %s%n%s%n"
          .formatted(
              before,
              moves.size(),
              seed,
              moves.stream().map(StepMove::toString).collect(joining(",")),
              why.getMessage(),
              String.join("\n", story));
    }
  }

  /// Plays them until a promise is broken.
  Optional<Failed> of(List<StepMove> moves) {
    LOG.setLevel(Level.OFF); // thousands of failures, all of them meant
    try (var world = new World(sandbox, ++worlds)) {
      for (int i = 0; i < moves.size(); i++) {
        try {
          moves.get(i).play(world, seed);
        } catch (AssertionError | RuntimeException e) {
          return Optional.of(new Failed(moves.subList(0, i + 1), e, world.story(STORY)));
        }
      }
      return Optional.empty();
    } finally {
      LOG.setLevel(null);
    }
  }

  /// The failure with as few moves as were found to lead to it.
  AssertionError shrunk(Failed found) {
    var shortest = new AtomicReference<>(found);
    Shrinker.shrink(
        found.moves(),
        some -> {
          var again = of(some).filter(found::like);
          again.ifPresent(shortest::set);
          return again.isPresent();
        });
    var least = shortest.get();
    return new AssertionError(least.text(seed, found.moves().size()), least.why());
  }

  /// The same on an API server that somebody else has started, for whoever cannot share a class
  /// with it.
  ///
  /// @param number of the sandbox
  /// @param shrinks whether a failure is to be shrunk
  /// @return how a promise was broken, empty if none was: `step 14, move 37: …`
  public static String at(
      String url, Path folder, String token, int number, long seed, int steps, boolean shrinks) {
    try (var cluster = TestCluster.at(new Address(HttpUrl.get(url), folder), token)) {
      var randomPlay = new RandomPlay(Sandbox.in(cluster, number), seed);
      return randomPlay
          .of(StepMove.of(steps, seed))
          .map(
              found -> found.line() + (shrinks ? "\n" + randomPlay.shrunk(found).getMessage() : ""))
          .orElse("");
    }
  }
}
