package dev.policysync.insights;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InsightsFeedRedirectTest {
  private static WireMockServer server;
  private static WireMockServer other;

  @BeforeAll
  static void startServers() {
    server = new WireMockServer(options().dynamicPort().bindAddress("127.0.0.1"));
    other = new WireMockServer(options().dynamicPort().bindAddress("127.0.0.1"));
    server.start();
    other.start();
  }

  @AfterAll
  static void stopServers() {
    server.stop();
    other.stop();
  }

  @BeforeEach
  void reset() {
    server.resetAll();
    other.resetAll();
    other.stubFor(any(anyUrl()).willReturn(ok("kind: other\n")));
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void followsARedirectWithinTheHostWithTheToken(int status) {
    redirect(status, "/elsewhere?a=b");
    server.stubFor(get(urlEqualTo("/elsewhere?a=b")).willReturn(ok("kind: x\n")));

    try (var api = TestApi.at(url())) {
      var bytes = api.feed().read().getFirst().bytes();

      assertThat(new String(bytes, UTF_8)).isEqualTo("kind: x\n");
      assertThat(server.getAllServeEvents())
          .hasSize(2)
          .allSatisfy(event ->
              assertThat(event.getRequest().getHeader("Authorization"))
                  .isEqualTo("Bearer t0ken-hunter2"));
    }
  }

  @Test
  void sendsNothingToAnotherHost() {
    redirect(302, "http://localhost:" + other.port() + "/login?state=hunter2");

    try (var api = TestApi.at(url())) {
      var problem = api.problem();

      assertThat(problem)
          .hasMessageEndingWith(
              ": answered 302: it redirects to another host, http://localhost:"
                  + other.port()
                  + ", where the token must not go; if that is the API, set FAIRWINDS_INSIGHTS_HOST"
                  + " to it")
          .hasMessageNotContaining("hunter2");
      assertThat(problem.retryable()).isFalse();
      assertThat(server.getAllServeEvents()).hasSize(1);
      assertThat(other.getAllServeEvents()).isEmpty();
    }
  }

  @Test
  void doesNotShowAHostThatSaysTheTokenBack() {
    redirect(302, "http://t0ken-hunter2.example/");

    try (var api = TestApi.at(url())) {
      assertThat(api.problem())
          .hasMessageContaining("it redirects to another host, where the token must not go")
          .hasMessageNotContaining("hunter2");
    }
  }

  @Test
  void sendsNothingToAnotherPort() {
    redirect(307, "http://127.0.0.1:" + other.port() + "/");

    try (var api = TestApi.at(url())) {
      assertThat(api.problem())
          .hasMessageContaining(
              "it redirects to another scheme or port, http://127.0.0.1:" + other.port() + ", ");
      assertThat(other.getAllServeEvents()).isEmpty();
    }
  }

  @Test
  void sendsNothingWithAnotherScheme() {
    redirect(307, "https://127.0.0.1:" + server.port() + "/");

    try (var api = TestApi.at(url())) {
      assertThat(api.problem())
          .hasMessageContaining(
              "it redirects to another scheme or port, https://127.0.0.1:" + server.port() + ", ");
      assertThat(server.getAllServeEvents()).hasSize(1);
    }
  }

  @Test
  void refusesARedirectToWhatIsNotHttp() {
    redirect(302, "ftp://insights.example/feed");

    try (var api = TestApi.at(url())) {
      assertThat(api.problem())
          .hasMessageContaining("it redirects to something that is no http or https URL");
    }
  }

  @Test
  void refusesARedirectThatNamesNoTarget() {
    server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(302)));

    try (var api = TestApi.at(url())) {
      assertThat(api.problem())
          .hasMessageContaining("answered 302: only 200 with the policies will do");
    }
  }

  @Test
  void followsFiveRedirectsAndNoMore() {
    server.stubFor(
        any(anyUrl()).willReturn(aResponse().withStatus(302).withHeader("Location", "/")));

    try (var api = TestApi.at(url())) {
      var problem = api.problem();

      assertThat(problem)
          .hasMessageEndingWith(": redirected more than 5 times; check FAIRWINDS_INSIGHTS_HOST");
      assertThat(problem.retryable()).isFalse();
      assertThat(server.getAllServeEvents()).hasSize(6);
    }
  }

  private static String url() {
    return "http://127.0.0.1:" + server.port();
  }

  private static void redirect(int status, String location) {
    server.stubFor(
        any(anyUrl())
            .atPriority(10)
            .willReturn(aResponse().withStatus(status).withHeader("Location", location)));
  }
}
