package dev.policysync.remote.insights;

import dev.policysync.remote.http.Connections;
import dev.policysync.report.ReportUpload;
import dev.policysync.report.UploadBody;
import dev.policysync.report.UploadFailed;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okio.BufferedSink;

/// Sends the API its `kyverno` report, or the reason why there is none. It sends one POST with a
/// known length, and the headers that the uploader in use sends.
///
/// A report replaces the previous one, so sending it again does no harm. Still, if all of it was
/// sent and only the response is missing, it is repeated at most once.
public final class InsightsReports implements ReportUpload {
  private static final MediaType JSON = MediaType.get("application/json");

  /// The read timeout: a server may take long to process a report of a hundred megabytes.
  private static final Duration SILENCE = Duration.ofSeconds(60);

  private final InsightsCalls calls;
  private final HttpUrl url;
  private final String version;
  private final String chartVersion;
  private final RetryRules rules;
  private final RetryRules failureRules;
  private final RetryClock clock;
  private final RetryClock failureClock;

  /// @param version for `User-Agent` and the version headers: `0.1.0`
  /// @param chartVersion the version of the chart that installed the agent, or empty
  /// @param time the time that the run has left
  public InsightsReports(
      Connections connections,
      InsightsConnection api,
      String version,
      String chartVersion,
      Supplier<Duration> time) {
    this(
        connections,
        api,
        version,
        chartVersion,
        RetryRules.REPORT,
        RetryRules.REPORT_FAILURE,
        RetryClock.of(connections, time),
        // The reason may be that the run has no time left, so this clock does not use the run's
        // time.
        RetryClock.of(connections, RetryRules.REPORT_FAILURE::budget));
  }

  InsightsReports(
      Connections connections,
      InsightsConnection api,
      String version,
      String chartVersion,
      RetryRules rules,
      RetryRules failureRules,
      RetryClock clock,
      RetryClock failureClock) {
    this.calls = new InsightsCalls(connections, api, version, SILENCE);
    this.url = api.cluster("data/kyverno");
    this.version = version;
    this.chartVersion = chartVersion;
    this.rules = rules;
    this.failureRules = failureRules;
    this.clock = clock;
    this.failureClock = failureClock;
  }

  @Override
  public void send(UploadBody body) {
    var lost = new AtomicInteger();
    post(url, new Body(body), rules, clock, lost);
  }

  @Override
  public void sendFailure(String reason) {
    var failure = url.newBuilder().addPathSegment("failure").build();
    post(
        failure, RequestBody.create(reason, JSON), failureRules, failureClock, new AtomicInteger());
  }

  private void post(
      HttpUrl to, RequestBody body, RetryRules how, RetryClock time, AtomicInteger lost) {
    var request =
        calls
            .request(to)
            .header("X-Fairwinds-Agent-Version", version)
            .header("X-Fairwinds-Report-Version", version)
            .header("X-Fairwinds-Agent-Chart-Version", chartVersion)
            .post(body)
            .build();
    try {
      var _ =
          new InsightsRetries(how, time)
              .run(timeout -> attempt(request, timeout.get(), time, lost));
    } catch (FailedAttempt failure) {
      throw new UploadFailed("POST " + to + ": " + failure.getMessage(), failure);
    }
  }

  private int attempt(Request request, Duration timeout, RetryClock time, AtomicInteger lost)
      throws FailedAttempt {
    try (var response = calls.execute(request, timeout)) {
      if (!response.isSuccessful()) {
        var content = request.body() instanceof Body ? "report" : "note that there is no report";
        throw HttpErrorClassifier.explain(response, content, length(request), time.now());
      }
      return response.code();
    } catch (IOException failure) {
      var explained = calls.explain(failure);
      var sent = request.body() instanceof Body body && body.sent;
      if (sent && explained.retryDecision() == RetryDecision.SOON && lost.incrementAndGet() > 1) {
        throw FailedAttempt.of(
            explained.getMessage() + "; the API may have accepted the report",
            RetryDecision.NEXT_RUN);
      }
      throw explained;
    }
  }

  private static long length(Request request) throws IOException {
    var body = request.body();
    return body == null ? 0 : body.contentLength();
  }

  private static final class Body extends RequestBody {
    private final UploadBody content;
    private boolean sent;

    Body(UploadBody content) {
      this.content = content;
    }

    @Override
    public MediaType contentType() {
      return JSON;
    }

    @Override
    public long contentLength() {
      return content.length();
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      sent = false;
      content.writeTo(sink.outputStream());
      sent = true;
    }
  }
}
