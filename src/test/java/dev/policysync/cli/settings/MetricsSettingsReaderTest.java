package dev.policysync.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Secret;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsSettingsReaderTest {
  private final Map<String, String> environment = new HashMap<>();
  private RawSettings rawSettings = new RawSettings(Map.of(), Map.of());

  @Test
  void wantsNoneUnlessAsked() {
    assertThat(read().wanted()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://pushgateway.monitoring.svc:9091",
        "https://metrics.example.com/gateway/",
        "http://[::1]:9091"
      })
  void takesAUrl(String url) {
    environment.put("METRICS_PUSH_URL", url);

    assertThat(read().pushUrl()).contains(URI.create(url));
    assertThat(rawSettings.problems()).isEmpty();
  }

  @Test
  void takesThePasswordOutOfTheUrl() {
    environment.put("METRICS_PUSH_URL", "https://team:s3cr%40t@metrics.example.com/x");

    assertThat(read().pushUrl()).contains(URI.create("https://metrics.example.com/x"));
    assertThat(read().authorization().map(Secret::reveal)).contains("Basic dGVhbTpzM2NyQHQ=");
    assertThat(read().toString()).doesNotContain("s3cr", "dGVhb");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"pushgateway:9091", "ftp://x/", "http://", "http://x:0", "http://x/?y", "/x"})
  void refusesWhatIsNoUrl(String url) {
    environment.put("METRICS_PUSH_URL", url);

    assertThat(read().pushUrl()).isEmpty();
    assertThat(rawSettings.problems())
        .containsExactly(
            "METRICS_PUSH_URL (--metrics-push-url) must be a URL, e.g."
                + " http://pushgateway.monitoring.svc:9091");
  }

  @Test
  void sendsNoPasswordUnencrypted() {
    environment.put("METRICS_PUSH_URL", "http://team:s3cret@metrics.example.com");

    var _ = read();

    assertThat(rawSettings.problems())
        .singleElement()
        .asString()
        .contains("sends its password unencrypted")
        .doesNotContain("s3cret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"metrics", "/etc/passwd", ".", "/", "metrics.prom/x", "a\0.prom"})
  void writesNoFileThatACollectorDoesNotRead(String file) {
    environment.put("METRICS_FILE", file);

    assertThat(read().file()).isEmpty();
    assertThat(rawSettings.problems())
        .singleElement()
        .asString()
        .startsWith("METRICS_FILE (--metrics-file) is ")
        .endsWith("; expected the path of a file whose name ends with .prom");
  }

  @Test
  void namesTheClusterAndWithoutOneCallsItLocal() {
    assertThat(read().labels())
        .containsExactly(Map.entry("organization", ""), Map.entry("cluster", "local"));

    environment.put("FAIRWINDS_ORG", "acme");
    environment.put("FAIRWINDS_CLUSTER", "prod-1");

    assertThat(read().labels())
        .containsExactly(Map.entry("organization", "acme"), Map.entry("cluster", "prod-1"));
  }

  private MetricsSettings read() {
    rawSettings = new RawSettings(Map.of(), environment);
    return new MetricsSettingsReader(rawSettings).read(false);
  }
}
