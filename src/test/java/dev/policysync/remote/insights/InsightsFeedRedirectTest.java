package dev.policysync.remote.insights;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InsightsFeedRedirectTest {
  @RegisterExtension private static final WireMockExtension server = TestApi.server();
  @RegisterExtension private static final WireMockExtension other = TestApi.server();

  @BeforeEach
  void answerElsewhereToo() {
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
    redirect(302, "http://localhost:" + other.getPort() + "/login?state=hunter2");

    try (var api = TestApi.at(url())) {
      var problem = api.problem();

      assertThat(problem)
          .hasMessageEndingWith(
              ": returned 302: redirect to another host, http://localhost:"
                  + other.getPort()
                  + ", not followed to protect the token; if the target is the API, set"
                  + " FAIRWINDS_INSIGHTS_HOST to it")
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
          .hasMessageContaining("redirect to another host, not followed to protect the token")
          .hasMessageNotContaining("hunter2");
    }
  }

  @Test
  void sendsNothingToAnotherPort() {
    redirect(307, "http://127.0.0.1:" + other.getPort() + "/");

    try (var api = TestApi.at(url())) {
      assertThat(api.problem())
          .hasMessageContaining(
              "redirect to another scheme or port, http://127.0.0.1:" + other.getPort() + ", ");
      assertThat(other.getAllServeEvents()).isEmpty();
    }
  }

  @Test
  void sendsNothingWithAnotherScheme() {
    redirect(307, "https://127.0.0.1:" + server.getPort() + "/");

    try (var api = TestApi.at(url())) {
      assertThat(api.problem())
          .hasMessageContaining(
              "redirect to another scheme or port, https://127.0.0.1:" + server.getPort() + ", ");
      assertThat(server.getAllServeEvents()).hasSize(1);
    }
  }

  @Test
  void refusesARedirectToWhatIsNotHttp() {
    redirect(302, "ftp://insights.example/feed");

    try (var api = TestApi.at(url())) {
      assertThat(api.problem()).hasMessageContaining("redirect to a URL that is not http or https");
    }
  }

  @Test
  void refusesARedirectThatNamesNoTarget() {
    server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(302)));

    try (var api = TestApi.at(url())) {
      assertThat(api.problem())
          .hasMessageContaining("returned 302: expected 200 with the policies");
    }
  }

  @Test
  void followsFiveRedirectsAndNoMore() {
    server.stubFor(
        any(anyUrl()).willReturn(aResponse().withStatus(302).withHeader("Location", "/")));

    try (var api = TestApi.at(url())) {
      var problem = api.problem();

      assertThat(problem)
          .hasMessageEndingWith(
              ": was redirected more than 5 times; check FAIRWINDS_INSIGHTS_HOST");
      assertThat(problem.retryable()).isFalse();
      assertThat(server.getAllServeEvents()).hasSize(6);
    }
  }

  private static String url() {
    return "http://127.0.0.1:" + server.getPort();
  }

  private static void redirect(int status, String location) {
    server.stubFor(
        any(anyUrl())
            .atPriority(10)
            .willReturn(aResponse().withStatus(status).withHeader("Location", location)));
  }
}
