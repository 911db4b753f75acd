package dev.policysync.cli.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

final class ApiSettingsReader {
  /// Matches an IPv4 loopback address, and not a host name that begins like one.
  private static final Pattern LOOPBACK_ADDRESS =
      Pattern.compile("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");

  /// The longest name of an organization or cluster, which is longer than any name in the API.
  /// Applied policies are annotated with these names.
  private static final int LONGEST_NAME = 253;

  private static final int LONGEST_LABEL = 63;
  private static final int HIGHEST_PORT = 65_535;
  private static final Pattern PORT = Pattern.compile(":([0-9]+)/?$");

  private final RawSettings rawSettings;

  ApiSettingsReader(RawSettings rawSettings) {
    this.rawSettings = rawSettings;
  }

  /// Returns the API's settings; empty if one of them is invalid.
  Optional<ApiSettings> api(boolean allowHttp) {
    var host = host(allowHttp);
    var token = token();
    var organization =
        rawSettings.required(Setting.ORGANIZATION, ": the organization name in the API");
    var cluster = rawSettings.required(Setting.CLUSTER, ": the cluster name in the API");
    judgeNames();
    judgeProxyPorts();
    token.ifPresent(this::refuseElsewhere);
    return host.isPresent() && token.isPresent() && organization.isPresent() && cluster.isPresent()
        ? Optional.of(new ApiSettings(host.get(), token.get(), organization.get(), cluster.get()))
        : Optional.empty();
  }

  /// Reports invalid names of organization and cluster. They are part of every URL of the API and
  /// of the ownership annotation on every policy.
  void judgeNames() {
    for (var setting : List.of(Setting.ORGANIZATION, Setting.CLUSTER)) {
      rawSettings
          .text(setting)
          .flatMap(ApiSettingsReader::wrongName)
          .ifPresent(wrong ->
              rawSettings.problem(
                  setting.label() + " " + wrong + "; expected the name used in the API"));
    }
  }

  private static Optional<String> wrongName(String name) {
    if (name.length() > LONGEST_NAME) {
      return Optional.of("exceeds " + LONGEST_NAME + " characters");
    }
    if (name.chars().anyMatch(Character::isISOControl)) {
      return Optional.of("contains a control character");
    }
    var carried = !name.equals(".") && !name.equals("..") && UTF_8.newEncoder().canEncode(name);
    return carried
        ? Optional.empty()
        : Optional.of("is " + ValueMasker.of(name) + ", which is not valid as a URL path segment");
  }

  private Optional<URI> host(boolean allowHttp) {
    var text =
        rawSettings.required(
            Setting.INSIGHTS_HOST,
            ", e.g. https://insights.fairwinds.com; to use policies from files instead: --from");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      var host = new URI(text.get());
      var scheme = Optional.ofNullable(host.getScheme()).orElse("").toLowerCase(Locale.ROOT);
      if (host.getHost() == null || !(scheme.equals("https") || scheme.equals("http"))) {
        rawSettings.problem(
            Setting.INSIGHTS_HOST.label() + " must be a URL, e.g. https://insights.fairwinds.com");
        return Optional.empty();
      }
      if (host.getUserInfo() != null || host.getQuery() != null || host.getFragment() != null) {
        rawSettings.problem(
            Setting.INSIGHTS_HOST.label() + " must contain only scheme, host, port and path");
        return Optional.empty();
      }
      if (host.getPort() == 0 || host.getPort() > HIGHEST_PORT) {
        rawSettings.problem(
            Setting.INSIGHTS_HOST.label()
                + " has port "
                + host.getPort()
                + "; expected a port from 1 to "
                + HIGHEST_PORT);
        return Optional.empty();
      }
      if (!isValidHost(host.getHost())) {
        rawSettings.problem(
            Setting.INSIGHTS_HOST.label() + " must be a URL, e.g. https://insights.fairwinds.com");
        return Optional.empty();
      }
      if (scheme.equals("http") && !loopback(host.getHost()) && !allowHttp) {
        rawSettings.problem(
            Setting.INSIGHTS_HOST.label()
                + " uses plain http, which sends the token unencrypted; use https, or set"
                + " ALLOW_HTTP=true");
      }
      return Optional.of(host);
    } catch (URISyntaxException e) {
      rawSettings.problem(
          Setting.INSIGHTS_HOST.label() + " must be a URL, e.g. https://insights.fairwinds.com");
      return Optional.empty();
    }
  }

  /// Returns whether a request can name this host. Java accepts some hosts that no request can
  /// name.
  static boolean isValidHost(String host) {
    return host.indexOf('%') < 0
        && (host.startsWith("[")
            || (host.length() <= LONGEST_NAME
                && List.of(host.split("\\.", -1)).stream()
                    .allMatch(label -> label.length() <= LONGEST_LABEL)));
  }

  /// Reports invalid proxy ports. The rest of a proxy URL is checked on use. The message does not
  /// show the URL, because it may contain a password.
  private void judgeProxyPorts() {
    for (var variable : List.of("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy")) {
      var port = PORT.matcher(rawSettings.variable(variable).strip());
      if (port.find() && (port.group(1).length() > 5 || !isPort(Integer.parseInt(port.group(1))))) {
        rawSettings.problem(variable + " must have a port from 1 to " + HIGHEST_PORT);
      }
    }
  }

  private static boolean isPort(int number) {
    return number >= 1 && number <= HIGHEST_PORT;
  }

  static boolean loopback(String host) {
    return host.equalsIgnoreCase("localhost")
        || LOOPBACK_ADDRESS.matcher(host).matches()
        || host.equals("[::1]");
  }

  private Optional<Secret> token() {
    var file = rawSettings.text(Setting.TOKEN_FILE);
    var text = file.isPresent() ? contents(file.get()) : rawSettings.text(Setting.TOKEN);
    if (text.isEmpty()) {
      // The message does not show the value, because it may be the token itself.
      rawSettings.problem(
          file.isPresent()
              ? Setting.TOKEN_FILE.label() + " does not name a readable file"
              : "a token is required: set "
                  + Setting.TOKEN.label()
                  + ", or "
                  + Setting.TOKEN_FILE.label()
                  + " to a file that contains it");
      return Optional.empty();
    }
    try {
      return Optional.of(Secret.of(text.get()));
    } catch (IllegalArgumentException e) {
      var setting = file.isPresent() ? Setting.TOKEN_FILE : Setting.TOKEN;
      rawSettings.problem("the token in " + setting.label() + " " + e.getMessage());
      return Optional.empty();
    }
  }

  /// Reports settings that contain the token, because names, addresses and paths appear in messages
  /// and are sent to others.
  private void refuseElsewhere(Secret token) {
    for (var setting : Setting.all()) {
      if (setting != Setting.TOKEN && token.isContainedIn(rawSettings.text(setting).orElse(""))) {
        rawSettings.problem(
            setting.label() + " contains the token; the token must not be set anywhere else");
      }
    }
    for (var variable :
        List.of("SSL_CERT_FILE", "KUBERNETES_SERVICE_HOST", "NO_PROXY", "no_proxy")) {
      if (token.isContainedIn(rawSettings.variable(variable))) {
        rawSettings.problem(
            variable + " contains the token; the token must not be set anywhere else");
      }
    }
  }

  private static Optional<String> contents(String file) {
    try {
      return Optional.of(Files.readString(Path.of(file)));
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
  }
}
