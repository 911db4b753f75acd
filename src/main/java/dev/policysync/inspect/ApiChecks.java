package dev.policysync.inspect;

import dev.policysync.inspect.ApiDiagnostics.Certificate;
import dev.policysync.inspect.ApiDiagnostics.Probe;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Checks that the remote API can be reached, has a valid certificate and accepts our token.
public final class ApiChecks {
  static final String NAME = "API name";
  static final String API = "API";
  static final String CERTIFICATE = "API certificate";
  static final String CLOCK = "API clock";

  /// The remaining validity that leads to a warning. Renewal is usually automatic and happens weeks
  /// before the end; a week is enough time for a person.
  private static final Duration EXPIRES_SOON = Duration.ofDays(7);

  /// The largest clock difference without a warning. Statuses contain our time, and certificates
  /// are validated with it.
  private static final Duration SKEW = Duration.ofSeconds(30);

  private final Route route;
  private final Names names;
  private final ApiDiagnostics api;
  private final Clock clock;

  /// The route to the API.
  ///
  /// @param host the host name in the API's URL
  /// @param proxy the forward proxy in between, if any: `proxy.corp:3128`
  public record Route(String host, Optional<Proxy> proxy) {
    public record Proxy(String host, int port) {}
  }

  /// Resolves host names.
  public interface Names {
    List<InetAddress> lookUp(String host) throws UnknownHostException;
  }

  public ApiChecks(Route route, Names names, ApiDiagnostics api, Clock clock) {
    this.route = route;
    this.names = names;
    this.api = api;
    this.clock = clock;
  }

  public List<Check> all() {
    return List.of(Check.of(NAME, this::name), Check.of(API, this::api).after(NAME));
  }

  /// Resolves the API's host name, or the proxy's if there is one, since the proxy resolves the
  /// API's name itself.
  private List<CheckResult> name() {
    var by = route.proxy().map(Route.Proxy::host).orElse(route.host());
    var way =
        route
            .proxy()
            .map(proxy ->
                route.host()
                    + " is reached through proxy "
                    + proxy.host()
                    + ":"
                    + proxy.port()
                    + ", ")
            .orElse(route.host() + " is reached without proxy, ");
    try {
      var addresses =
          names.lookUp(by).stream()
              .limit(3)
              .map(InetAddress::getHostAddress)
              .collect(Collectors.joining(", "));
      return List.of(CheckResult.ok(NAME, way + "at " + addresses));
    } catch (UnknownHostException e) {
      return List.of(
          CheckResult.failure(
              NAME,
              way + "but the host name " + by + " could not be resolved",
              (route.proxy().isPresent()
                      ? "check HTTPS_PROXY and HTTP_PROXY"
                      : "check FAIRWINDS_INSIGHTS_HOST")
                  + ", the pod's DNS and that NetworkPolicies allow DNS (port 53)"));
    }
  }

  private List<CheckResult> api() {
    return switch (api.probe()) {
      case Probe.Unanswered(var reason) -> List.of(CheckResult.failure(API, reason));
      case Probe.Answered(var url, var certificate, var ahead, var refusal) ->
          Stream.of(
                  Optional.of(
                      refusal
                          .map(reason -> CheckResult.failure(API, reason))
                          .orElseGet(() ->
                              CheckResult.ok(
                                  API, "GET " + url + " returned 200; the token is accepted"))),
                  certificate.map(this::judge),
                  ahead.map(ApiChecks::judge))
              .flatMap(Optional::stream)
              .collect(Collectors.toCollection(ArrayList::new));
    };
  }

  private CheckResult judge(Certificate certificate) {
    var until = LocalDate.ofInstant(certificate.until(), ZoneOffset.UTC);
    var found =
        certificate.protocol()
            + ", trusted; the certificate for "
            + certificate.subject()
            + " is valid until "
            + until;
    return certificate.until().isBefore(clock.instant().plus(EXPIRES_SOON))
        ? CheckResult.warning(
            CERTIFICATE,
            found,
            "ask the operator of the API, or of the proxy in between, to renew it")
        : CheckResult.ok(CERTIFICATE, found);
  }

  private static CheckResult judge(Duration ahead) {
    return ClockSkew.judge(
        CLOCK,
        "the API's",
        ahead,
        SKEW,
        "statuses get a wrong timestamp: synchronize the clock of this machine with NTP, if it"
            + " is the one that is off");
  }
}
