package dev.policysync.policy.kyverno;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CronTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0 4 * * *",
        "*/15 0-6 1,15 jan-MAR mon-fri",
        "@daily",
        "@every 1h30m",
        "5/10 * ? * 0"
      })
  void acceptsValidSchedules(String cron) {
    assertThat(Cron.problem(cron)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0 4 * * 7",
        "0 0 4 * * * 2027",
        "0 0 L * *",
        "0 4 * * 5#2",
        "@hourly",
        "0 0 15W * *"
      })
  void acceptsTheSchedulesOfDeletingPolicies(String cron) {
    assertThat(Cron.problemOfDeleting(cron)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0 0 * *",
        "60 0 * * *",
        "*/0 * * * *",
        "@every 5m",
        "TZ=UTC 0 0 * * *",
        "0 4 * * 8"
      })
  void refusesWhatIsNoScheduleOfADeletingPolicy(String cron) {
    assertThat(Cron.problemOfDeleting(cron)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "daily",
        "@sometimes",
        "* * * *",
        "0 0 4 * * *",
        "TZ=Europe/Berlin 0 4 * * *",
        "CRON_TZ=UTC 0 4 * * *",
        "60 * * * *",
        "0 24 * * *",
        "0 0 0 * *",
        "0 0 * 13 *",
        "0 0 * * 7",
        "*/0 * * * *",
        "5-1 * * * *",
        "0 4 * * xyz",
        "-1 * * * *"
      })
  void refusesWhatIsNone(String cron) {
    assertThat(Cron.problem(cron)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"* * * * *", "*/1 3 * * *", "@every 30s", "@every 1m"})
  void seesWhatIsDueEachMinute(String cron) {
    assertThat(Cron.everyMinute(cron)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"*/5 * * * *", "0 * * * *", "@hourly", "@every 5m"})
  void leavesSlowerOnesAlone(String cron) {
    assertThat(Cron.everyMinute(cron)).isFalse();
  }
}
