package dev.policysync.remote.insights;

import dev.policysync.base.HeapBudget;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.feed.FeedLimit;
import dev.policysync.policy.feed.FeedProblem;
import dev.policysync.policy.feed.FeedVersion;
import dev.policysync.policy.feed.PolicySource;
import dev.policysync.remote.http.Connections;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import okhttp3.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the feed from the API: one YAML stream with all policies expected on this cluster, with
/// app groups and mappings already applied.
///
/// Only a complete response with status 200 is a feed. A feed has no count and no end mark, a
/// gateway's web page comes with 200 as well, and a policy that is missing from the feed gets
/// removed from the cluster. So a doubtful response is a [FeedProblem]. An empty response is a
/// feed, because the API returns one if there are no policies; the planner decides what follows
/// from it.
///
/// Failures that often pass in a moment are retried, up to four attempts within 30 s.
public final class InsightsFeed implements PolicySource {
  private static final Logger log = LoggerFactory.getLogger(InsightsFeed.class);

  /// An entity tag by RFC 9110, 8.8.3, in ASCII only. A longer tag would fill the Lease.
  private static final Pattern ENTITY_TAG = Pattern.compile("(W/)?\"[!#-~]{1,200}\"");

  private final InsightsCalls calls;
  private final HttpUrl url;
  private final RetryRules rules;
  private final RetryClock clock;
  private final FeedLimit limit;

  /// @param version for `User-Agent`: `0.1.0`
  /// @param time the time that the run has left
  public InsightsFeed(
      Connections connections, InsightsConnection api, String version, Supplier<Duration> time) {
    this(
        connections,
        api,
        version,
        RetryRules.FEED,
        RetryClock.of(connections, time),
        FeedLimit.of(HeapBudget.ofThisProcess()));
  }

  InsightsFeed(
      Connections connections,
      InsightsConnection api,
      String version,
      RetryRules rules,
      RetryClock clock,
      FeedLimit limit) {
    this.calls = new InsightsCalls(connections, api, version);
    this.url = url(api);
    this.rules = rules;
    this.clock = clock;
    this.limit = limit;
  }

  @Override
  public List<Manifest> read() {
    return feed().manifests();
  }

  @Override
  public Feed feed() {
    return feedUnless(Optional::empty).orElseThrow();
  }

  @Override
  public Optional<Feed> feedUnless(Supplier<Optional<Feed.Known>> known) {
    try {
      return new InsightsRetries(rules, clock).run(timeout -> attempt(timeout, known));
    } catch (FailedAttempt failure) {
      throw new FeedProblem(
          "GET " + url + ": " + failure.getMessage(),
          failure.retryDecision() != RetryDecision.NEVER,
          failure);
    }
  }

  private Optional<Feed> attempt(Supplier<Duration> timeout, Supplier<Optional<Feed.Known>> known)
      throws FailedAttempt {
    var answer =
        calls.feed(
            url,
            () -> known.get().flatMap(Feed.Known::version).flatMap(this::entityTag),
            timeout,
            response ->
                IfNoneMatch.notModified(response) ? Answer.KNOWN : answer(response, known.get()));
    return answer.isAnother() ? attempt(timeout, Optional::empty) : answer.feed();
  }

  private Optional<String> entityTag(FeedVersion version) {
    return version.url().equals(url.toString())
        ? Optional.of(version.entityTag())
        : Optional.empty();
  }

  private Answer answer(Response response, Optional<Feed.Known> known)
      throws IOException, FailedAttempt {
    requireFeed(response, clock.now());
    var body = FeedBody.read(response, limit, known.isPresent());
    if (body.bytes().isEmpty()) {
      return known.orElseThrow().digest().equals(body.digest()) ? Answer.KNOWN : Answer.ANOTHER;
    }
    var manifest = new Manifest("feed", body.bytes().get());
    return Answer.of(new Feed(List.of(manifest), body.digest(), version(response)));
  }

  /// The outcome of one request.
  ///
  /// @param isAnother whether the feed is not the known one and was too large to keep, so that it
  ///   must be read again
  /// @param feed the feed; empty if it is the known one or was not kept
  private record Answer(boolean isAnother, Optional<Feed> feed) {
    static final Answer KNOWN = new Answer(false, Optional.empty());
    static final Answer ANOTHER = new Answer(true, Optional.empty());

    static Answer of(Feed feed) {
      return new Answer(false, Optional.of(feed));
    }
  }

  /// Returns the version of the feed. Empty after a redirect, since the next request may not be
  /// redirected.
  private Optional<FeedVersion> version(Response response) {
    return Optional.ofNullable(response.header("ETag"))
        .filter(tag -> ENTITY_TAG.matcher(tag).matches() && response.request().url().equals(url))
        .map(tag -> new FeedVersion(url.toString(), tag));
  }

  static HttpUrl url(InsightsConnection api) {
    return api.cluster("kyverno-policies/with-app-groups-applied/yaml");
  }

  /// Checks by its headers that a response is a feed.
  static void requireFeed(Response response, Instant now) throws FailedAttempt {
    if (response.code() != 200) {
      throw HttpErrorClassifier.explain(response, "200 with the policies", now);
    }
    var mediaType = HttpErrorClassifier.mediaType(response);
    if (HttpErrorClassifier.isPage(mediaType)) {
      throw FailedAttempt.of(
          "returned 200 with a web page ("
              + mediaType
              + ") instead of policies, possibly from a proxy or a login page; check"
              + " FAIRWINDS_INSIGHTS_HOST and HTTPS_PROXY",
          RetryDecision.NEVER);
    }
    if (!mediaType.endsWith("yaml") && !mediaType.equals("text/plain")) {
      log.atDebug()
          .addKeyValue("reason", shown(mediaType))
          .log("Unexpected content type of the feed");
    }
  }

  /// Returns the media type if it looks like one, because a header may contain anything.
  private static String shown(String mediaType) {
    for (var i = 0; i < mediaType.length(); i++) {
      var c = mediaType.charAt(i);
      if ((c < 'a' || c > 'z') && "/+-.".indexOf(c) < 0) {
        return "malformed";
      }
    }
    return mediaType;
  }
}
