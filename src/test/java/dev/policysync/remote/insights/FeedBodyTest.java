package dev.policysync.remote.insights;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.policy.Digest;
import dev.policysync.policy.feed.FeedLimit;
import java.io.IOException;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Over HTTP/2 a stream may end where its Content-Length does not: what is left would be a feed
/// that lacks policies.
class FeedBodyTest {
  private static final FeedLimit LIMIT = TestApi.limit(8 << 20);
  private static final int SMALL = 1_000;
  private static final int LARGE = 6 << 20;

  @ParameterizedTest
  @CsvSource({SMALL + ", true", SMALL + ", false", LARGE + ", true", LARGE + ", false"})
  void refusesMoreThanWasAnnounced(int announced, boolean known) {
    assertThatThrownBy(() -> FeedBody.read(response(announced, announced + 1), LIMIT, known))
        .isInstanceOf(FailedAttempt.class)
        .hasMessageContaining("announced in Content-Length");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void refusesLessThanWasAnnounced(boolean known) {
    assertThatThrownBy(() -> FeedBody.read(response(LARGE, LARGE - 1), LIMIT, known))
        .isInstanceOf(FailedAttempt.class)
        .hasMessage("returned 6291455 bytes instead of the 6291456 announced in Content-Length");
    assertThatThrownBy(() -> FeedBody.read(response(SMALL, SMALL - 1), LIMIT, known))
        .isInstanceOf(FailedAttempt.class)
        .hasMessageStartingWith("returned " + (SMALL - 1) + " bytes instead of the " + SMALL);
  }

  @ParameterizedTest
  @CsvSource({SMALL + ", true", SMALL + ", false", LARGE + ", false"})
  void keepsWhatWasAnnounced(int length, boolean known) throws IOException, FailedAttempt {
    var body = FeedBody.read(response(length, length), LIMIT, known);

    assertThat(body.bytes().orElseThrow()).isEqualTo(bytes(length));
    assertThat(body.digest()).isEqualTo(Digest.of(bytes(length)));
  }

  @Test
  void keepsNothingOfALargeOneThatMayBeKnown() throws IOException, FailedAttempt {
    var body = FeedBody.read(response(LARGE, LARGE), LIMIT, true);

    assertThat(body.bytes()).isEmpty();
    assertThat(body.digest()).isEqualTo(Digest.of(bytes(LARGE)));
  }

  /// A feed that is known is not parsed, so that it takes no more memory than its digest.
  @Test
  void limitsOnlyAFeedThatIsParsed() throws IOException, FailedAttempt {
    var beyond = (int) LIMIT.bytes() + 1;

    var known = FeedBody.read(response(beyond, beyond), LIMIT, true);

    assertThat(known.digest()).isEqualTo(Digest.of(bytes(beyond)));
    assertThatThrownBy(() -> FeedBody.read(response(beyond, beyond), LIMIT, false))
        .isInstanceOf(FailedAttempt.class);
  }

  private static byte[] bytes(int length) {
    return "# filler\n".repeat(length / 9 + 1).substring(0, length).getBytes(UTF_8);
  }

  private static Response response(int announced, int length) {
    return new Response.Builder()
        .request(new Request.Builder().url("http://api.example/").build())
        .protocol(Protocol.HTTP_2)
        .code(200)
        .message("")
        .body(ResponseBody.create(new Buffer().write(bytes(length)), null, announced))
        .build();
  }
}
