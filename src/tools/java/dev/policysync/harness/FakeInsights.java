package dev.policysync.harness;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.put;
import static com.github.tomakehurst.wiremock.client.WireMock.putRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.unauthorized;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathMatching;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static java.util.Map.entry;
import static java.util.stream.Collectors.toMap;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.MultiValue;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

/// The remote API over real HTTP, as far as the agent speaks to it: one cluster's feed, and the
/// statuses and reports that it was sent. Whoever has not its token gets a 401.
public final class FakeInsights implements AutoCloseable {
  /// Like nothing else, so that no part of it is in any output by chance.
  public static final String TOKEN = "k7Qz-vXw9-Jt3R-mB5f-Yd8H-Lp2N";

  /// Whichever cluster asks: it gets the same.
  private static final String CLUSTER = "/v0/organizations/acme/clusters/prod-[123]/";

  private static final String FEED = CLUSTER + "kyverno-policies/with-app-groups-applied/yaml";
  private static final String STATUS = CLUSTER + "policies/apply-status";
  private static final String REPORT = CLUSTER + "data/kyverno";

  private final String host;
  private final WireMockServer server;

  public FakeInsights() {
    this("127.0.0.1", "localhost");
  }

  /// @param address where it listens: `::1`
  /// @param host by which it is called: `[::1]`
  public FakeInsights(String address, String host) {
    this.host = host;
    this.server = new WireMockServer(options().dynamicPort().bindAddress(address));
    server.start();
    server.stubFor(get(urlPathMatching(FEED)).atPriority(9).willReturn(unauthorized()));
    answersStatuses(aResponse().withStatus(200));
    server.stubFor(
        post(urlPathMatching(REPORT + "(/failure)?"))
            .withHeader("Authorization", equalTo("Bearer " + TOKEN))
            .willReturn(aResponse().withStatus(200)));
  }

  /// Forgets all requests so far.
  public void forgetRequests() {
    server.resetRequests();
  }

  /// What the API expects from now on.
  public void expects(String yaml) {
    answers(aResponse().withStatus(200).withHeader("Content-Type", "text/yaml").withBody(yaml));
  }

  /// How the feed is answered from now on.
  public void answers(ResponseDefinitionBuilder answer) {
    server.stubFor(
        get(urlPathMatching(FEED))
            .atPriority(1)
            .withHeader("Authorization", equalTo("Bearer " + TOKEN))
            .willReturn(answer));
  }

  /// How each status is answered from now on.
  public void answersStatuses(ResponseDefinitionBuilder answer) {
    server.stubFor(
        put(urlPathMatching(STATUS))
            .withHeader("Authorization", equalTo("Bearer " + TOKEN))
            .willReturn(answer));
  }

  /// Lets somebody know of every status that it takes, before it says so to whoever sent it.
  ///
  /// @param taken gets the sender's `User-Agent` and the body
  public void atEachStatusTaken(BiConsumer<String, String> taken) {
    server.addMockServiceRequestListener((request, response) -> {
      if (request.getUrl().matches(STATUS) && response.getStatus() == 200) {
        taken.accept(request.getHeader("User-Agent"), request.getBodyAsString());
      }
    });
  }

  /// The bodies of all status calls so far, in the order of their arrival.
  public List<String> statuses() {
    return server.findAll(putRequestedFor(urlPathMatching(STATUS))).stream()
        .map(LoggedRequest::getBodyAsString)
        .toList();
  }

  /// The bodies of all reports so far, in the order of their arrival.
  public List<String> reports() {
    return server.findAll(postRequestedFor(urlPathMatching(REPORT))).stream()
        .map(LoggedRequest::getBodyAsString)
        .toList();
  }

  /// A request as it came.
  ///
  /// @param path `/v0/organizations/acme/clusters/prod-1/policies/apply-status`
  public record Received(String method, String path, Map<String, String> headers, String body) {}

  /// All requests so far, in the order of their arrival.
  public List<Received> requests() {
    return server.findAll(anyRequestedFor(anyUrl())).stream()
        .map(request ->
            new Received(
                request.getMethod().value(),
                request.getUrl(),
                request.getHeaders().all().stream()
                    .collect(toMap(MultiValue::key, MultiValue::firstValue)),
                request.getBodyAsString()))
        .toList();
  }

  /// That header of all requests so far; empty where one lacks it.
  public List<String> headers(String name) {
    return server.findAll(anyRequestedFor(anyUrl())).stream()
        .map(request -> Objects.requireNonNullElse(request.getHeader(name), ""))
        .toList();
  }

  public int feedRequests() {
    return server.findAll(getRequestedFor(urlPathMatching(FEED))).size();
  }

  /// Its base URL.
  public String url() {
    return "http://" + host + ":" + server.port();
  }

  /// The settings of an agent that belongs to this API. Without lint: the tests' policies are as
  /// short as can be, which is a hazard now and then.
  public Map<String, String> environment() {
    return Map.ofEntries(
        entry("LINT", "off"),
        entry("FAIRWINDS_INSIGHTS_HOST", url()),
        entry("FAIRWINDS_ORG", "acme"),
        entry("FAIRWINDS_CLUSTER", "prod-1"),
        entry("FAIRWINDS_TOKEN", TOKEN));
  }

  @Override
  public void close() {
    server.stop();
  }
}
