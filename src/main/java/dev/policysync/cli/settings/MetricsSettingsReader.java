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

/// Reads where metrics go. They are numbers and the names of organization and cluster, no secret,
/// so plain http is allowed, as gateways inside a cluster have it; a password in the URL is a
/// secret, and is sent over https only, or to loopback.
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
        rawSettings.value(
            Setting.METRICS_FILE,
            MetricsSettingsReader::file,
            Optional.empty(),
            "the path of a file whose name ends with .prom"),
        where());
  }

  private Optional<URI> url() {
    var text = rawSettings.text(Setting.METRICS_PUSH_URL);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    // The URL is not shown: it may hold a password.
    try {
      var url = new URI(text.get());
      var scheme = Optional.ofNullable(url.getScheme()).orElse("").toLowerCase(Locale.ROOT);
      if ((scheme.equals("https") || scheme.equals("http"))
          && url.getHost() != null
          && ApiSettingsReader.mayBeCalled(url.getHost())
          && url.getPort() != 0
          && url.getPort() <= HIGHEST_PORT
          && url.getQuery() == null
          && url.getFragment() == null) {
        return Optional.of(url);
      }
    } catch (URISyntaxException _) {
      // Said below.
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

  /// Without organization and cluster, as with `--from`, it is the only one.
  private Map<String, String> where() {
    var labels = new LinkedHashMap<String, String>();
    labels.put("organization", rawSettings.text(Setting.ORGANIZATION).orElse(""));
    labels.put("cluster", rawSettings.text(Setting.CLUSTER).orElse("local"));
    return labels;
  }

  /// A textfile collector reads no other names; and whatever else is set here by mistake is no file
  /// that should be overwritten.
  private static Optional<String> file(String text) {
    try {
      if (!Path.of(text).toString().endsWith(ENDING)) {
        throw new IllegalArgumentException(text);
      }
      return Optional.of(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
