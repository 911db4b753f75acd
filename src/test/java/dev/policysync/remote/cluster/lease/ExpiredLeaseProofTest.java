package dev.policysync.remote.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.remote.cluster.ApiResponse;
import dev.policysync.testcluster.Documents;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When a Lease may be taken over without watching it. It is 12:00 at the API server.
class ExpiredLeaseProofTest {
  private static final String NOON = "Sat, 21 Nov 2026 12:00:00 GMT";
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00.400Z");
  private static final String LONG_AGO = "2026-11-21T11:56:59";

  @Test
  void isProvenByTheHoldersClockAndTheApiServers() {
    assertThat(ExpiredLeaseProof.proven(answer(60, LONG_AGO, LONG_AGO), NOW)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "60, 2026-11-21T11:57:01, 2026-11-21T11:56:59", // the holder says it was later
    "60, 2026-11-21T11:56:59, 2026-11-21T11:57:01", // the API server does
    "60, 2026-11-21T12:30:00, 2026-11-21T11:00:00", // a holder that is ahead of time
    "60, 2001-01-01T00:00:00, 2026-11-21T11:59:50", // one that is far behind, and alive
    "600, 2026-11-21T11:40:00, 2026-11-21T11:40:00", // it asked for ten minutes
    "15, 2026-11-21T11:59:00, 2026-11-21T11:59:00", // short, but clocks are not better for that
    "7200, 2001-01-01T00:00:00, 2001-01-01T00:00:00", // no agent asks for two hours
    "2147483647, 2001-01-01T00:00:00, 2001-01-01T00:00:00",
    "9223372036854775807, 2001-01-01T00:00:00, 2001-01-01T00:00:00",
    "99999999999999999999, 2001-01-01T00:00:00, 2001-01-01T00:00:00",
    "0, 2001-01-01T00:00:00, 2001-01-01T00:00:00",
    "-60, 2001-01-01T00:00:00, 2001-01-01T00:00:00",
    "1.5, 2001-01-01T00:00:00, 2001-01-01T00:00:00",
    "60, yesterday, 2001-01-01T00:00:00",
    "60, 2001-01-01T00:00:00, yesterday",
  })
  void isNotProvenByLess(String duration, String renewed, String written) {
    assertThat(ExpiredLeaseProof.proven(answer(duration, renewed, written), NOW)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"2026-11-21T12:00:06Z", "2026-11-21T11:59:54Z", "2001-01-01T00:00:00Z"})
  void isNotProvenWhereOurOwnClockSaysAnotherTime(Instant now) {
    assertThat(ExpiredLeaseProof.proven(answer(60, LONG_AGO, LONG_AGO), now)).isFalse();
  }

  @Test
  void isNotProvenWhereTheApiServerTellsNoTime() {
    var dated = answer(60, LONG_AGO, LONG_AGO);
    var silent = new ApiResponse(200, dated.body(), List.of(), Optional.empty());
    var odd = new ApiResponse(200, dated.body(), List.of(), Optional.of("noon"));

    assertThat(ExpiredLeaseProof.proven(silent, NOW)).isFalse();
    assertThat(ExpiredLeaseProof.proven(odd, NOW)).isFalse();
  }

  @Test
  void isNotProvenWhereNobodyIsKnownToHaveRenewedIt() {
    var metadata =
        """
        managedFields:
        - {time: "2001-01-01T00:00:00Z", fieldsV1: {"f:metadata": {}}}
        - {time: "2001-01-01T00:00:00Z"}
        """;

    assertThat(ExpiredLeaseProof.proven(answerWith(metadata, 60, LONG_AGO), NOW)).isFalse();
    assertThat(ExpiredLeaseProof.proven(answerWith("{}", 60, LONG_AGO), NOW)).isFalse();
  }

  @Test
  void isJudgedByTheLatestOfThoseWhoMayHaveRenewedIt() {
    var metadata =
        """
        managedFields:
        - {time: "2001-01-01T00:00:00Z", fieldsV1: {"f:spec": {"f:renewTime": {}}}}
        - {time: "2026-11-21T11:59:00Z", fieldsV1: {"f:spec": {"f:renewTime": {}}}}
        """;

    assertThat(ExpiredLeaseProof.proven(answerWith(metadata, 60, LONG_AGO), NOW)).isFalse();
    assertThat(
            ExpiredLeaseProof.proven(
                answerWith(metadata.replace("2026-11-21", "2026-11-20"), 60, LONG_AGO), NOW))
        .isTrue();
    assertThat(
            ExpiredLeaseProof.proven(
                answerWith(metadata.replace("time: \"2026-11-21T11:59:00Z\", ", ""), 60, LONG_AGO),
                NOW))
        .isFalse();
  }

  @Test
  void isNotProvenOfARecordWithoutADurationOrATime() {
    var written = metadata(LONG_AGO);

    assertThat(ExpiredLeaseProof.proven(answer(written, "{holderIdentity: other}"), NOW)).isFalse();
    assertThat(
            ExpiredLeaseProof.proven(
                answer(written, "{holderIdentity: other, leaseDurationSeconds: 60}"), NOW))
        .isFalse();
  }

  private static ApiResponse answer(Object duration, String renewed, String written) {
    return answerWith(metadata(written), duration, renewed);
  }

  private static String metadata(String written) {
    return "managedFields: [{time: \"%sZ\", fieldsV1: {\"f:spec\": {\"f:renewTime\": {}}}}]"
        .formatted(written);
  }

  private static ApiResponse answerWith(String metadata, Object duration, String renewed) {
    return answer(
        metadata,
        "{holderIdentity: other, leaseDurationSeconds: %s, renewTime: \"%s.000000Z\"}"
            .formatted(duration, renewed));
  }

  private static ApiResponse answer(String metadata, String spec) {
    var lease =
        new Value.Mapping(
            Map.of("metadata", Documents.yaml(metadata), "spec", Documents.yaml(spec)));
    return new ApiResponse(200, lease, List.of(), Optional.of(NOON));
  }
}
