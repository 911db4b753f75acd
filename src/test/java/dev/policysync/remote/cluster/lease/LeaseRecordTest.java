package dev.policysync.remote.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.sync.LeaseHold;
import dev.policysync.testcluster.Documents;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Records as no agent would write them.
class LeaseRecordTest {
  @ParameterizedTest
  @ValueSource(strings = {"0", "-60", "1.5", "99999999999999999999", "sixty", "null", "[60]"})
  void saysNotHowLongItHoldsWhereThatMakesNoSense(String duration) {
    assertThat(record("{leaseDurationSeconds: " + duration + "}").duration()).isEmpty();
  }

  @Test
  void saysHowLongItHoldsHoweverLong() {
    var record = record("{leaseDurationSeconds: 9223372036854775807}");

    assertThat(record.duration()).contains(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(record.neverExpires()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"3600,false", "3601,true"})
  void isEndlessAfterAnHour(int duration, boolean endless) {
    assertThat(record("{leaseDurationSeconds: " + duration + "}").neverExpires())
        .isEqualTo(endless);
  }

  @ParameterizedTest
  @CsvSource({"0,1", "6,7", "2147483646,2147483647", "2147483647,1", "-3,1", "many,1", "1e30,1"})
  void countsOnFromWhatMakesSense(String transitions, int next) {
    assertThat(record("{leaseTransitions: " + transitions + "}").nextTransition()).isEqualTo(next);
  }

  @Test
  void isNobodysWithoutAHolder() {
    assertThat(record("{}").holder()).isEmpty();
    assertThat(record("{holderIdentity: null}").holder()).isEmpty();
    assertThat(record("{holderIdentity: 7}").holder()).isEmpty();
  }

  @Test
  void knowsWhenItWasRenewedIfThatIsATime() {
    assertThat(record("{renewTime: \"2026-11-21T12:00:00.500000Z\"}").renewTime())
        .contains(Instant.parse("2026-11-21T12:00:00.500Z"));
    assertThat(record("{renewTime: noon}").renewTime()).isEmpty();
    assertThat(record("{renewTime: 1}").renewTime()).isEmpty();
  }

  /// As a run that waits for it counts.
  @ParameterizedTest
  @CsvSource({"30,ACTIVE", "61,EXPIRED"})
  void lastsAsLongAsOursIfItDoesNotSayHowLong(int secondsAgo, LeaseHold hold) {
    var now = Instant.parse("2026-11-21T12:00:00Z");
    var renewed = now.minusSeconds(secondsAgo);

    assertThat(
            record(
                    "{holderIdentity: pod-a, acquireTime: \"%s\", renewTime: \"%s\"}"
                        .formatted(renewed, renewed))
                .hold(now))
        .isEqualTo(hold);
  }

  private static LeaseRecord record(String yaml) {
    return new LeaseRecord(Documents.yaml(yaml));
  }
}
