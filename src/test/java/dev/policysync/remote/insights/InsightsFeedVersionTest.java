package dev.policysync.remote.insights;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.policysync.policy.Digest;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.feed.FeedProblem;
import dev.policysync.policy.feed.FeedVersion;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A feed that need not be sent again.
class InsightsFeedVersionTest {
  private static final String TAG = "W/\"33a64df5\"";
  private static final String LARGE = "# filler\n".repeat(100_000);
  private static final String VERY_LARGE = LARGE + LARGE;

  /// One that compresses would add that to its tags.
  @RegisterExtension
  private static final WireMockExtension server =
      WireMockExtension.newInstance()
          .options(options().dynamicPort().bindAddress("127.0.0.1").gzipDisabled(true))
          .build();

  @Test
  void isCalledByItsEntityTag() {
    answer(ok("kind: x").withHeader("ETag", TAG));

    assertThat(called(Optional.empty())).contains(version(TAG));
    assertThat(condition(0)).isNull();
  }

  @Test
  void isNotReadWhereItIsStillOfThatVersion() {
    answer(aResponse().withStatus(304).withHeader("ETag", TAG));

    assertThat(read(Optional.of(version(TAG)))).isEmpty();
    assertThat(condition(0)).isEqualTo(TAG);
  }

  @Test
  void isReadWhereItIsOfAnother() {
    answer(ok("kind: x").withHeader("ETag", "\"2\""));

    assertThat(called(Optional.of(version(TAG)))).contains(version("\"2\""));
  }

  @Test
  void isNotAskedForByTheVersionOfAnother() {
    answer(ok("kind: x"));

    read(Optional.of(new FeedVersion("https://elsewhere.example.com/yaml", TAG)));

    assertThat(condition(0)).isNull();
  }

  @Test
  void isNotThereWhereNobodyAskedWhetherItChanged() {
    answer(aResponse().withStatus(304).withHeader("ETag", TAG));

    try (var api = TestApi.at(server.baseUrl())) {
      assertThat(api.problem()).hasMessageContaining("304");
    }
  }

  @Test
  void hasNoVersionWhereItCameFromElsewhere() {
    answer(aResponse().withStatus(307).withHeader("Location", "/elsewhere"));
    server.stubFor(any(urlEqualTo("/elsewhere")).willReturn(ok("kind: x").withHeader("ETag", TAG)));

    assertThat(called(Optional.of(version(TAG)))).isEmpty();
    assertThat(condition(0)).isNull();
    assertThat(condition(1)).isEqualTo(TAG);
  }

  @ParameterizedTest
  @ValueSource(strings = {"33a64df5", "\"\"", "\"a b\"", "\"a", "w/\"a\""})
  void hasNoVersionByWhatIsNoEntityTag(String tag) {
    answer(ok("kind: x").withHeader("ETag", tag));

    assertThat(called(Optional.empty())).isEmpty();
  }

  @Test
  void hasNoVersionThatWouldFillTheLease() {
    answer(ok("kind: x").withHeader("ETag", "\"" + "a".repeat(201) + "\""));

    assertThat(called(Optional.empty())).isEmpty();
  }

  @Test
  void isOfAVersionThatIsFoundOutWhileItIsConnectedTo() {
    var asked = new AtomicInteger();
    try (var api = TestApi.at("http://127.0.0.1:1")) {
      var problem =
          catchThrowableOfType(
              FeedProblem.class,
              () ->
                  api.feed()
                      .feedUnless(() -> {
                        asked.incrementAndGet();
                        return Optional.empty();
                      }));

      assertThat(problem).hasMessageContaining("connect");
    }
    assertThat(asked).hasValue(0);
  }

  /// One that is small is compared by whoever reads it, with the cluster.
  @Test
  void isReadWhereItIsSmallAndKnown() {
    answer(ok("kind: x"));

    assertThat(read(known("kind: x"))).isPresent();
  }

  @Test
  void isNotKeptWhereItIsLargeAndKnown() {
    answer(ok(LARGE));

    assertThat(read(known(LARGE))).isEmpty();
    assertThat(server.getAllServeEvents()).hasSize(1);
  }

  @Test
  void isNotKeptWhereItsLengthIsAnnounced() {
    answer(ok(LARGE).withHeader("Content-Length", Integer.toString(LARGE.length())));

    assertThat(read(known(LARGE))).isEmpty();
  }

  @Test
  void isReadOnceMoreWhereItIsLargeAndAnother() {
    answer(ok(LARGE).withHeader("ETag", TAG));

    var feed = read(known("kind: x")).orElseThrow();

    assertThat(feed.manifests().getFirst().bytes()).isEqualTo(LARGE.getBytes(UTF_8));
    assertThat(feed.digest()).isEqualTo(Digest.of(LARGE.getBytes(UTF_8)));
    assertThat(feed.version()).contains(version(TAG));
    assertThat(server.getAllServeEvents()).hasSize(2);
  }

  @Test
  void isReadWholeWhereItIsLargeAndNotKnown() {
    var length = Integer.toString(VERY_LARGE.length());
    for (var response :
        List.of(ok(VERY_LARGE), ok(VERY_LARGE).withHeader("Content-Length", length))) {
      answer(response);

      try (var api = TestApi.at(server.baseUrl())) {
        var feed = api.feed(TestApi.RULES, 4L << 20).feed();

        assertThat(feed.manifests().getFirst().bytes()).isEqualTo(VERY_LARGE.getBytes(UTF_8));
        assertThat(feed.digest()).isEqualTo(Digest.of(VERY_LARGE.getBytes(UTF_8)));
      }
    }
  }

  private static Feed.Known known(String feed) {
    return new Feed.Known(Digest.of(feed.getBytes(UTF_8)), Optional.empty());
  }

  private static void answer(ResponseDefinitionBuilder response) {
    server.stubFor(any(anyUrl()).willReturn(response));
  }

  /// The feed; empty where it was not read.
  private static Optional<Feed> read(Optional<FeedVersion> known) {
    return read(new Feed.Known(Digest.of("kind: other".getBytes(UTF_8)), known));
  }

  private static Optional<Feed> read(Feed.Known known) {
    try (var api = TestApi.at(server.baseUrl())) {
      return api.feed().feedUnless(() -> Optional.of(known));
    }
  }

  /// What the feed that was read is called.
  private static Optional<FeedVersion> called(Optional<FeedVersion> known) {
    return read(known).orElseThrow().version();
  }

  private static FeedVersion version(String tag) {
    var api = TestApi.connection(server.baseUrl(), "acme", "prod-1");
    return new FeedVersion(InsightsFeed.url(api).toString(), tag);
  }

  /// @param last 0 for the last request, 1 for the one before
  private static String condition(int last) {
    return server.getAllServeEvents().get(last).getRequest().getHeader("If-None-Match");
  }
}
