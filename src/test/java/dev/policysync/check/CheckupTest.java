package dev.policysync.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CheckupTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final List<Answer> told = new ArrayList<>();

  @Test
  void tellsInTheOrderOfTheQuestionsWhicheverIsAnsweredFirst() {
    var second = new CountDownLatch(1);

    run(
        LONG,
        Question.of(
            "first",
            () -> {
              await(second);
              return ok("first");
            }),
        Question.of(
            "second",
            () -> {
              second.countDown();
              return ok("second");
            }));

    assertThat(told).extracting(Answer::subject).containsExactly("first", "second");
  }

  @Test
  void isNotHeldUpByAQuestionWithoutAnAnswer() {
    var never = new CountDownLatch(1);

    run(
        Duration.ofMillis(1),
        Question.of(
            "silent",
            () -> {
              await(never);
              return ok("silent");
            }));
    never.countDown();

    assertThat(told)
        .singleElement()
        .satisfies(answer -> {
          assertThat(answer.verdict()).isEqualTo(Verdict.FAILURE);
          assertThat(answer.found()).startsWith("no answer within");
        });
  }

  @Test
  void doesNotAskWhatMakesNoSenseAfterAFailure() {
    run(
        LONG,
        Question.of("server", () -> List.of(Answer.failure("server", "could not connect"))),
        Question.of("kinds", () -> ok("kinds")).after("server"),
        Question.of("dry run", () -> ok("dry run")).after("kinds"),
        Question.of("memory", () -> ok("memory")));

    assertThat(told)
        .extracting(Answer::verdict)
        .containsExactly(Verdict.FAILURE, Verdict.UNKNOWN, Verdict.UNKNOWN, Verdict.OK);
  }

  @Test
  void asksOnAfterAWarning() {
    run(
        LONG,
        Question.of("server", () -> List.of(Answer.warning("server", "old", "upgrade"))),
        Question.of("kinds", () -> ok("kinds")).after("server"));

    assertThat(told).extracting(Answer::verdict).containsExactly(Verdict.WARNING, Verdict.OK);
  }

  @Test
  void hidesNothingBehindADefectOfOurs() {
    run(
        LONG,
        Question.of(
            "broken",
            () -> {
              throw new IllegalStateException("a bug");
            }),
        Question.of("memory", () -> ok("memory")));

    assertThat(told)
        .containsExactly(
            Answer.failure(
                "broken",
                "a defect of policy-sync: IllegalStateException",
                "please report it, with what the log says"),
            Answer.ok("memory", "fine"));
  }

  private void run(Duration patience, Question... questions) {
    new Checkup(List.of(questions), patience, () -> LONG).run(told::add);
  }

  private static List<Answer> ok(String subject) {
    return List.of(Answer.ok(subject, "fine"));
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
