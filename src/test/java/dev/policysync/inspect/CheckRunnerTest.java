package dev.policysync.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CheckRunnerTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final List<CheckResult> told = new ArrayList<>();

  @Test
  void tellsInTheOrderOfTheQuestionsWhicheverIsAnsweredFirst() {
    var second = new CountDownLatch(1);

    run(
        LONG,
        Check.of(
            "first",
            () -> {
              await(second);
              return ok("first");
            }),
        Check.of(
            "second",
            () -> {
              second.countDown();
              return ok("second");
            }));

    assertThat(told).extracting(CheckResult::subject).containsExactly("first", "second");
  }

  @Test
  void isNotHeldUpByAQuestionWithoutAnAnswer() {
    var never = new CountDownLatch(1);

    run(
        Duration.ofMillis(1),
        Check.of(
            "silent",
            () -> {
              await(never);
              return ok("silent");
            }));
    never.countDown();

    assertThat(told)
        .singleElement()
        .satisfies(checkResult -> {
          assertThat(checkResult.status()).isEqualTo(CheckStatus.FAILURE);
          assertThat(checkResult.found()).startsWith("no response within");
        });
  }

  @Test
  void doesNotAskWhatMakesNoSenseAfterAFailure() {
    run(
        LONG,
        Check.of("server", () -> List.of(CheckResult.failure("server", "could not connect"))),
        Check.of("kinds", () -> ok("kinds")).after("server"),
        Check.of("dry run", () -> ok("dry run")).after("kinds"),
        Check.of("memory", () -> ok("memory")));

    assertThat(told)
        .extracting(CheckResult::status)
        .containsExactly(
            CheckStatus.FAILURE, CheckStatus.UNKNOWN, CheckStatus.UNKNOWN, CheckStatus.OK);
  }

  @Test
  void asksOnAfterAWarning() {
    run(
        LONG,
        Check.of("server", () -> List.of(CheckResult.warning("server", "old", "upgrade"))),
        Check.of("kinds", () -> ok("kinds")).after("server"));

    assertThat(told)
        .extracting(CheckResult::status)
        .containsExactly(CheckStatus.WARNING, CheckStatus.OK);
  }

  @Test
  void hidesNothingBehindADefectOfOurs() {
    run(
        LONG,
        Check.of(
            "broken",
            () -> {
              throw new IllegalStateException("a bug");
            }),
        Check.of("memory", () -> ok("memory")));

    assertThat(told)
        .containsExactly(
            CheckResult.failure(
                "broken",
                "internal error in policy-sync: IllegalStateException",
                "please report it with the log"),
            CheckResult.ok("memory", "fine"));
  }

  private void run(Duration patience, Check... questions) {
    new CheckRunner(List.of(questions), patience, () -> LONG).run(told::add);
  }

  private static List<CheckResult> ok(String subject) {
    return List.of(CheckResult.ok(subject, "fine"));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
