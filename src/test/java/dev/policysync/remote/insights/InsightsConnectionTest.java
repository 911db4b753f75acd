package dev.policysync.remote.insights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.Secret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InsightsConnectionTest {
  @ParameterizedTest
  @CsvSource({
    "https://insights.example, https://insights.example/v0/organizations/acme/clusters/c/x/y",
    "https://insights.example/, https://insights.example/v0/organizations/acme/clusters/c/x/y",
    "' https://insights.example// ', https://insights.example/v0/organizations/acme/clusters/c/x/y",
    "https://gw:8443/in/side//, https://gw:8443/in/side/v0/organizations/acme/clusters/c/x/y",
  })
  void cutsSlashesFromTheEndOfTheHost(String host, String url) {
    assertThat(connection(host, "acme", "c").cluster("x/y")).hasToString(url);
  }

  @ParameterizedTest
  @CsvSource({
    "a/b, a%2Fb",
    "../x, ..%2Fx",
    "50%, 50%25",
    "%2e%2e, %252e%252e",
    "my cluster, my%20cluster",
    "a+b, a+b",
    "a?b#c, a%3Fb%23c",
    "größe, gr%C3%B6%C3%9Fe",
    "集群, %E9%9B%86%E7%BE%A4",
  })
  void encodesOrganizationAndClusterAsOneSegmentEach(String name, String segment) {
    assertThat(connection("https://insights.example", name, name).cluster("x").encodedPath())
        .isEqualTo("/v0/organizations/" + segment + "/clusters/" + segment + "/x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", ".", ".."})
  void refusesNamesThatNoUrlCanCarry(String name) {
    assertThatThrownBy(() -> connection("https://insights.example", name, "c"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the organization must not be blank, . or ..");
    assertThatThrownBy(() -> connection("https://insights.example", "acme", name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the cluster must not be blank, . or ..");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "insights.example               | has no scheme",
        "''                             | has no scheme",
        "ftp://insights.example         | must be an http or https URL",
        "https://                       | must be an http or https URL",
        "https://in sights.example      | must be an http or https URL",
        "https://u:hunter2@in.example   | must not contain a user or password",
        "https://in.example/?t=hunter2  | must not contain a query or fragment",
        "https://in.example/#x          | must not contain a query or fragment",
      })
  void saysWhatIsWrongWithAHostWithoutShowingIt(String host, String problem) {
    assertThatThrownBy(() -> connection(host, "acme", "c"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the Insights host " + problem)
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void printsNoToken() {
    assertThat(connection("https://insights.example", "acme", "c"))
        .asString()
        .contains("acme")
        .doesNotContain("hunter2");
  }

  private static InsightsConnection connection(String host, String organization, String cluster) {
    return InsightsConnection.of(host, organization, cluster, Secret.of("hunter2"));
  }
}
