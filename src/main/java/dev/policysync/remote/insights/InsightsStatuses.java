package dev.policysync.remote.insights;

import dev.policysync.remote.http.Connections;
import dev.policysync.sync.StatusSink;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.RequestBody;

/// Sends the API the status of each changed or failed policy: one PUT per status, four at a time
/// over kept connections, or 32 over one HTTP/2 connection. The run continues meanwhile.
///
/// It spends little time on an API that does not respond, because the next run can send the same
/// statuses. After the work on the cluster, it has 10 s plus 50 ms per status. Each status gets
/// three attempts. It sends no more once three statuses in a row failed for reasons that concern
/// all of them. So an API that is down costs a run a second or two at most, and a silent one costs
/// 5 s, for any number of statuses.
public final class InsightsStatuses implements StatusSink {
  private final InsightsCalls calls;
  private final HttpUrl url;
  private final RetryRules rules;
  private final RetryClock clock;

  /// @param version for `User-Agent`: `0.1.0`
  /// @param time the time that the run has left
  public InsightsStatuses(
      Connections connections, InsightsConnection api, String version, Supplier<Duration> time) {
    this(connections, api, version, RetryRules.STATUS, RetryClock.of(connections, time));
  }

  InsightsStatuses(
      Connections connections,
      InsightsConnection api,
      String version,
      RetryRules rules,
      RetryClock clock) {
    this.calls = new InsightsCalls(connections, api, version);
    this.url = api.cluster("policies/apply-status");
    this.rules = rules;
    this.clock = clock;
  }

  @Override
  public Transmission begin(int atMost) {
    var retries = new InsightsRetries(rules, clock);
    return new StatusTransmission(
        url,
        (status, body, left) -> {
          var json = ApplyStatus.json(status, body.get());
          return retries.run(left, timeout -> put(json, timeout.get()));
        },
        rules.budget().plus(RetryRules.BUDGET_PER_STATUS.multipliedBy(atMost)),
        clock);
  }

  private Protocol put(byte[] json, Duration timeout) throws FailedAttempt {
    var body = RequestBody.create(json, MediaType.get("application/json"));
    var request = calls.request(url).put(body).build();
    try (var response = calls.execute(request, timeout)) {
      if (!response.isSuccessful()) {
        throw HttpErrorClassifier.explain(response, "status", json.length, clock.now());
      }
      return response.protocol();
    } catch (IOException failure) {
      throw calls.explain(failure);
    }
  }
}
