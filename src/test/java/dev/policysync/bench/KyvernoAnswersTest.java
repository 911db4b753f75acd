package dev.policysync.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KyvernoAnswersTest {
  private static final String METRIC = "apiserver_admission_webhook_admission_duration_seconds_";

  @Test
  void addsUpWhatTheApiServerCounted() {
    var metrics =
        String.join(
            "\n",
            "# TYPE " + METRIC + " histogram",
            line("bucket", "validate-policy.kyverno.svc", "false", "9"),
            line("sum", "validate-policy.kyverno.svc", "false", "1.5"),
            line("count", "validate-policy.kyverno.svc", "false", "10"),
            line("sum", "validate-policy.kyverno.svc", "true", "0.5"),
            line("count", "validate-policy.kyverno.svc", "true", "2"),
            line("count", "mutate-policy.kyverno.svc", "false", "7"),
            "");

    var answers = KyvernoAnswers.in(metrics);

    assertThat(answers).isEqualTo(new KyvernoAnswers(10, 2, 2.0));
    assertThat(answers.since(new KyvernoAnswers(6, 1, 1.0)).text())
        .isEqualTo("Kyverno took 4 policies and refused 1, in 200 ms each");
    assertThat(answers.since(answers).text()).isEqualTo("Kyverno was not asked");
  }

  private static String line(String which, String name, String rejected, String value) {
    return "%s%s{name=\"%s\",operation=\"CREATE\",rejected=\"%s\",type=\"validating\"} %s"
        .formatted(METRIC, which, name, rejected, value);
  }
}
