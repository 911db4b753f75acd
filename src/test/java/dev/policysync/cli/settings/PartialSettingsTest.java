package dev.policysync.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartialSettingsTest {
  private final Map<String, String> environment =
      new HashMap<>(
          Map.of(
              "FAIRWINDS_INSIGHTS_HOST", "https://insights.example.com",
              "FAIRWINDS_TOKEN", "k7Qz-vXw9-Jt3R",
              "FAIRWINDS_ORG", "acme",
              "FAIRWINDS_CLUSTER", "prod-1",
              "NAMESPACE", "agents"));

  @Test
  void areAllOfThemWhereNoneIsWrong() {
    var settings = read(PinnedSettings.NONE);

    assertThat(settings.problems()).isEmpty();
    assertThat(settings.whole()).isPresent();
  }

  @Test
  void areTheApisAndTheClustersWhereOthersAreWrong() {
    environment.put("MAX_REMOVALS", "many");

    var settings = read(PinnedSettings.NONE);

    assertThat(settings.problems()).singleElement().asString().contains("MAX_REMOVALS");
    assertThat(settings.whole()).isEmpty();
    assertThat(settings.api().flatMap(Settings::api))
        .hasValueSatisfying(
            apiSettings -> assertThat(apiSettings.organization()).isEqualTo("acme"));
    assertThat(settings.cluster().flatMap(it -> it.cluster().namespace())).contains("agents");
  }

  @Test
  void areTheClustersWhereTheApisAreWrong() {
    environment.remove("FAIRWINDS_TOKEN");

    var settings = read(PinnedSettings.NONE);

    assertThat(settings.problems()).singleElement().asString().contains("a token is required");
    assertThat(settings.api()).isEmpty();
    assertThat(settings.cluster()).isPresent();
  }

  @Test
  void areNoneInAPodThatLoadsCodeIntoJava() {
    environment.put("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    environment.put("JAVA_TOOL_OPTIONS", "-agentlib:x");

    var settings = read(PinnedSettings.NONE);

    assertThat(settings.problems()).hasSize(1);
    assertThat(settings.api()).isEmpty();
    assertThat(settings.cluster()).isEmpty();
  }

  @Test
  void areNotTheApisWhereThePinnedHostIsContradicted(@TempDir Path folder) throws IOException {
    var file =
        Files.writeString(
            folder.resolve("pinned"), "FAIRWINDS_INSIGHTS_HOST=https://other.example.com\n");

    var settings = read(PinnedSettings.in(file));

    assertThat(settings.problems()).singleElement().asString().contains("is pinned");
    assertThat(settings.api()).isEmpty();
  }

  private PartialSettings read(PinnedSettings pinned) {
    return PartialSettings.read(Map.of(), environment, pinned);
  }
}
