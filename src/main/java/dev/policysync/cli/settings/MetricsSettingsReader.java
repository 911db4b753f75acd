package dev.policysync.cli.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Reads the settings for metrics. Metrics are numbers and the names of organization and cluster,
/// and not secret. So plain http is allowed, which gateways inside a cluster use. A password in the
/// URL is secret and is sent only over https, to loopback, or if ALLOW_HTTP permits it.
final class MetricsSettingsReader {
  private static final String EXPECTED =
      " must be a URL, e.g. http://pushgateway.monitoring.svc:9091";
  private static final int HIGHEST_PORT = 65_535;
  private static final String ENDING = ".prom";

  private final RawSettings rawSettings;

  MetricsSettingsReader(RawSettings rawSettings) {
    this.rawSettings = rawSettings;
  }

  MetricsSettings read(boolean allowHttp) {
    var url = url();
    url.ifPresent(it -> judgePassword(it, allowHttp));
    return new MetricsSettings(
        url.map(MetricsSettingsReader::withoutUser),
        url.flatMap(this::authorization),
        rawSettings.optional(
            Setting.METRICS_FILE,
            MetricsSettingsReader::file,
            "the path of a file whose name ends with .prom"),
        where());
  }

  private Optional<URI> url() {
    var text = rawSettings.text(Setting.METRICS_PUSH_URL);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    // The message does not show the URL, because it may contain a password.
    try {
      var url = new URI(text.get());
      var scheme = Optional.ofNullable(url.getScheme()).orElse("").toLowerCase(Locale.ROOT);
      if ((scheme.equals("https") || scheme.equals("http"))
          && url.getHost() != null
          && ApiSettingsReader.isValidHost(url.getHost())
          && url.getPort() != 0
          && url.getPort() <= HIGHEST_PORT
          && url.getQuery() == null
          && url.getFragment() == null) {
        return Optional.of(url);
      }
    } catch (URISyntaxException _) {
      // The problem is reported below.
    }
    rawSettings.problem(Setting.METRICS_PUSH_URL.label() + EXPECTED);
    return Optional.empty();
  }

  private void judgePassword(URI url, boolean allowHttp) {
    if (url.getUserInfo() != null
        && !url.getScheme().equalsIgnoreCase("https")
        && !ApiSettingsReader.loopback(url.getHost())
        && !allowHttp) {
      rawSettings.problem(
          Setting.METRICS_PUSH_URL.label()
              + " uses plain http, which sends its password unencrypted; use https, or set"
              + " ALLOW_HTTP=true");
    }
  }

  private Optional<Secret> authorization(URI url) {
    return Optional.ofNullable(url.getUserInfo())
        .map(
            user -> Secret.of("Basic " + Base64.getEncoder().encodeToString(user.getBytes(UTF_8))));
  }

  private static URI withoutUser(URI url) {
    var text = url.toString();
    var user = url.getRawUserInfo();
    return user == null ? url : URI.create(text.replaceFirst("//[^/@]*@", "//"));
  }

  /// Returns the labels that identify the cluster. Without a cluster name, as with `--from`, the
  /// label is `local`.
  private Map<String, String> where() {
    var labels = new LinkedHashMap<String, String>();
    labels.put("organization", rawSettings.text(Setting.ORGANIZATION).orElse(""));
    labels.put("cluster", rawSettings.text(Setting.CLUSTER).orElse("local"));
    return labels;
  }

  /// Accepts only file names that end with `.prom`, because a textfile collector reads no others.
  /// This also keeps a mistyped setting from overwriting another file.
  private static String file(String text) {
    try {
      if (!Path.of(text).toString().endsWith(ENDING)) {
        throw new IllegalArgumentException(text);
      }
      return text;
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
