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

/// The policies that the API expects on this cluster: one YAML stream with all of them, app groups
/// and mappings already applied.
///
/// Only a complete answer with status 200 is a feed. It has no count and no end mark, a gateway's
/// page comes with 200 as well, and whatever is missing from it gets removed from the cluster: so a
/// doubtful answer is a [FeedProblem]. An empty one is a feed, for the API answers so where there
/// are no policies; what follows from that is the planner's to judge.
///
/// Failures that often pass in a moment are tried again, up to four attempts within 30 s.
public final class InsightsFeed implements PolicySource {
  private static final Logger log = LoggerFactory.getLogger(InsightsFeed.class);

  /// RFC 9110, 8.8.3, without what ASCII does not have; a longer one would fill the Lease.
  private static final Pattern ENTITY_TAG = Pattern.compile("(W/)?\"[!#-~]{1,200}\"");

  private final InsightsCalls calls;
  private final HttpUrl url;
  private final RetryRules rules;
  private final RetryClock clock;
  private final FeedLimit limit;

  /// @param version our own, for `User-Agent`: `0.1.0`
  /// @param time what the run has left
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
      var deadline = Deadline.in(rules.budget(), clock);
      return new Retries(rules, clock).run(deadline, left -> attempt(left, known));
    } catch (FailedAttempt failure) {
      throw new FeedProblem(
          "GET " + url + ": " + failure.getMessage(),
          failure.again() != RetryDecision.NEVER,
          failure);
    }
  }

  private Optional<Feed> attempt(Deadline deadline, Supplier<Optional<Feed.Known>> known)
      throws FailedAttempt {
    var answer =
        calls.feed(
            url,
            () -> known.get().flatMap(Feed.Known::version).flatMap(this::entityTag),
            () -> deadline.left(rules.perAttempt()),
            response ->
                IfNoneMatch.notModified(response) ? Answer.KNOWN : answer(response, known.get()));
    return answer.isAnother() ? attempt(deadline, Optional::empty) : answer.feed();
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

  /// What the API sent.
  ///
  /// @param isAnother whether it is one to be read again, as too much came to be kept
  /// @param feed none where it is the one that is known, or was not kept
  private record Answer(boolean isAnother, Optional<Feed> feed) {
    static final Answer KNOWN = new Answer(false, Optional.empty());
    static final Answer ANOTHER = new Answer(true, Optional.empty());

    static Answer of(Feed feed) {
      return new Answer(false, Optional.of(feed));
    }
  }

  /// What the answer is called; nothing where it came from elsewhere, as the next one may not.
  private Optional<FeedVersion> version(Response response) {
    return Optional.ofNullable(response.header("ETag"))
        .filter(tag -> ENTITY_TAG.matcher(tag).matches() && response.request().url().equals(url))
        .map(tag -> new FeedVersion(url.toString(), tag));
  }

  /// Where the feed of that cluster is.
  static HttpUrl url(InsightsConnection api) {
    return api.cluster("kyverno-policies/with-app-groups-applied/yaml");
  }

  /// Whether that is an answer with policies, as far as its headers tell.
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

  /// A header may hold anything; this one is shown if it looks like what it should be.
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
