package dev.policysync.check;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Asks all questions at the same time and tells their answers in the order of the questions, each
/// as soon as it and those before it are known. What does not answer in time hides nothing else.
public final class Checkup {
  private final List<Question> questions;
  private final Duration patience;
  private final Supplier<Duration> left;

  /// @param patience how long to wait for any answer
  /// @param left what is left of the whole run's time
  public Checkup(List<Question> questions, Duration patience, Supplier<Duration> left) {
    this.questions = List.copyOf(questions);
    this.patience = patience;
    this.left = left;
  }

  /// Asks; returns when every answer has been told.
  public void run(Consumer<Answer> told) {
    var pending = new LinkedHashMap<String, CompletableFuture<List<Answer>>>();
    questions.forEach(question -> pending.put(question.subject(), new CompletableFuture<>()));
    // Daemons: the lookup of a name cannot be broken off, and must not keep the process alive.
    questions.forEach(question ->
        Thread.ofPlatform()
            .daemon()
            .name("asks about " + question.subject())
            .start(() -> answer(question, pending)));
    var end = System.nanoTime() + shorter(patience, left.get()).toNanos();
    pending.forEach((subject, answers) -> await(subject, answers, end).forEach(told));
  }

  private static void answer(
      Question question, Map<String, CompletableFuture<List<Answer>>> pending) {
    var own = pending.getOrDefault(question.subject(), new CompletableFuture<>());
    try {
      var before = question.after().map(pending::get);
      own.complete(
          before.isPresent() && failed(before.get())
              ? List.of(
                  Answer.unknown(
                      question.subject(),
                      "not asked, because of the failure above: " + question.after().get()))
              : question.asking().ask());
    } catch (RuntimeException | Error e) {
      own.completeExceptionally(e);
    }
  }

  private static boolean failed(CompletableFuture<List<Answer>> before) {
    try {
      return before.join().stream()
          .anyMatch(
              answer -> answer.verdict() == Verdict.FAILURE || answer.verdict() == Verdict.UNKNOWN);
    } catch (CompletionException | CancellationException e) {
      return true;
    }
  }

  private List<Answer> await(String subject, CompletableFuture<List<Answer>> answers, long end) {
    try {
      return answers.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return List.of(
          Answer.failure(
              subject,
              "no answer within " + patience.toSeconds() + " s",
              "what it waits for is silent: a firewall or NetworkPolicy that drops packets, or a"
                  + " name server"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of(Answer.unknown(subject, "interrupted"));
    } catch (ExecutionException e) {
      throw new IllegalStateException("asking about " + subject + " broke off", e.getCause());
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
