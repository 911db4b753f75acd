package dev.policysync.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The address of the API, and the token, which no message may show (promise 13).
class ApiSettingsTest {
  private static final String TOKEN = "s3cret-t0ken";

  @TempDir private Path folder;

  @Test
  void refusesNamesThatNoUrlCanCarry() {
    for (var name : List.of(".", "..")) {
      assertThat(problems(Map.of("FAIRWINDS_TOKEN", TOKEN, "FAIRWINDS_ORG", name)))
          .as(name)
          .containsExactly(
              "FAIRWINDS_ORG (--organization) is \""
                  + name
                  + "\", which is not valid as a URL path segment; expected the name used in the"
                  + " API");
    }
    assertThat(problems(Map.of("FAIRWINDS_TOKEN", TOKEN, "FAIRWINDS_CLUSTER", "prod\n-1")))
        .containsExactly(
            "FAIRWINDS_CLUSTER (--cluster) contains a control character; expected the name used"
                + " in the API");
    assertThat(problems(Map.of("FAIRWINDS_TOKEN", TOKEN, "FAIRWINDS_CLUSTER", "x".repeat(254))))
        .containsExactly(
            "FAIRWINDS_CLUSTER (--cluster) exceeds 253 characters; expected the name used"
                + " in the API");
  }

  @Test
  void refusesAPortThatThereIsNot() {
    assertThat(
            problems(
                Map.of(
                    "FAIRWINDS_TOKEN", TOKEN,
                    "FAIRWINDS_INSIGHTS_HOST", "https://insights.example.com:70000",
                    "HTTPS_PROXY", "http://me:pass@proxy.example.com:70000",
                    "DRY_RUN", "perhaps")))
        .containsExactly(
            "FAIRWINDS_INSIGHTS_HOST (--insights-host) has port 70000; expected a port from"
                + " 1 to 65535",
            "HTTPS_PROXY must have a port from 1 to 65535",
            "DRY_RUN (--dry-run) is \"perhaps\"; expected true or false");
  }

  @Test
  void stripsWhiteSpaceFromTheToken() {
    assertThat(token(Map.of("FAIRWINDS_TOKEN", " s3cret\r\n-t0\tken\n"))).contains(TOKEN);
  }

  @Test
  void readsTheTokenFromAFile() throws IOException {
    var file = Files.writeString(folder.resolve("token"), TOKEN + "\n");

    assertThat(token(Map.of("FAIRWINDS_TOKEN_FILE", file.toString()))).contains(TOKEN);
    assertThat(
            settings(Map.of(Setting.TOKEN_FILE, file.toString()), Map.of())
                .api()
                .map(apiSettings -> apiSettings.token().reveal()))
        .contains(TOKEN);
  }

  @Test
  void prefersTheFileToTheVariable() throws IOException {
    var file = Files.writeString(folder.resolve("token"), TOKEN);

    assertThat(token(Map.of("FAIRWINDS_TOKEN", "other", "FAIRWINDS_TOKEN_FILE", file.toString())))
        .contains(TOKEN);
  }

  @Test
  void saysWhatIsWrongWithTheToken() throws IOException {
    var blank = Files.writeString(folder.resolve("blank"), "\n \t\n");
    var umlaut = Files.writeString(folder.resolve("umlaut"), "s3cret-töken");

    assertThat(problems(Map.of("FAIRWINDS_TOKEN_FILE", blank.toString())))
        .containsExactly("the token in FAIRWINDS_TOKEN_FILE (--token-file) is empty");
    assertThat(problems(Map.of("FAIRWINDS_TOKEN_FILE", umlaut.toString())))
        .containsExactly(
            "the token in FAIRWINDS_TOKEN_FILE (--token-file) contains a character that is not"
                + " printable ASCII");
    assertThat(problems(Map.of("FAIRWINDS_TOKEN", "s3cret-töken")))
        .containsExactly(
            "the token in FAIRWINDS_TOKEN contains a character that is not printable ASCII");
  }

  @Test
  void showsNoPartOfATokenThatWasPutInPlaceOfTheFile() {
    for (var wrong : List.of(TOKEN, TOKEN + "\0", folder.toString(), "/no/such/file")) {
      assertThat(problems(Map.of("FAIRWINDS_TOKEN_FILE", wrong)))
          .as(wrong)
          .containsExactly("FAIRWINDS_TOKEN_FILE (--token-file) does not name a readable file");
    }
  }

  @Test
  void showsNoPartOfTheTokenWhateverElseIsWrong() {
    var environment = new HashMap<String, String>();
    for (var setting : Setting.all()) {
      setting.env().ifPresent(name -> environment.put(name, "wr\u0007ng"));
    }
    environment.remove("FAIRWINDS_TOKEN_FILE");
    environment.put("FAIRWINDS_TOKEN", TOKEN);

    assertThat(problems(Map.of(), environment))
        .hasSizeGreaterThan(8)
        .noneMatch(problem -> problem.contains("s3cret") || problem.contains("t0ken"));
  }

  @Test
  void showsNoPartOfATokenThatWasPutIntoAnotherSetting() {
    var token = "k7Qz-vXw9-Jt3R-mB5f-Yd8H";
    for (var setting : Setting.all()) {
      if (setting.env().isPresent()) {
        var alone = new HashMap<>(Map.of("FAIRWINDS_TOKEN", ""));
        var twice = new HashMap<>(Map.of("FAIRWINDS_TOKEN", token));
        for (var more : List.of(alone, twice)) {
          more.put(setting.env().get(), token);

          assertThat(problems(more)).as(more.toString()).noneMatch(p -> p.contains("k7Qz"));
        }
      }
    }
  }

  @Test
  void refusesATokenInAPlaceThatIsShownOrSentToOthers() {
    for (var variable :
        List.of(
            "FAIRWINDS_ORG",
            "FAIRWINDS_CLUSTER",
            "NAMESPACE",
            "POD_NAME",
            "LOG_LEVEL",
            "KUBECONFIG",
            "SSL_CERT_FILE",
            "NO_PROXY",
            "no_proxy")) {
      assertThat(problems(Map.of("FAIRWINDS_TOKEN", TOKEN, variable, "x" + TOKEN)))
          .noneMatch(problem -> problem.contains(TOKEN))
          .anySatisfy(problem ->
              assertThat(problem)
                  .startsWith(variable)
                  .endsWith(" contains the token; the token must not be set anywhere else"));
    }
  }

  @Test
  void printsSettingsWithoutTheToken() {
    assertThat(settings(Map.of(), Map.of("FAIRWINDS_TOKEN", TOKEN)).toString())
        .contains("acme", "***")
        .doesNotContain(TOKEN);
  }

  @Test
  void acceptsAnAddressWithPortAndPath() {
    for (var host :
        List.of("https://insights.example.com:8443/base/", "HTTPS://Insights.example.com")) {
      assertThat(host(host, Map.of())).contains(URI.create(host));
    }
  }

  @Test
  void refusesWhatIsNoAddress() {
    for (var host :
        List.of(
            "insights.example.com",
            "insights.example.com:443",
            "//insights.example.com",
            "ftp://insights.example.com",
            "https://",
            "https:insights.example.com",
            "https://in sights.example.com",
            "https://[::1")) {
      assertThat(hostProblems(host, Map.of()))
          .as(host)
          .containsExactly(
              "FAIRWINDS_INSIGHTS_HOST (--insights-host) must be a URL, e.g."
                  + " https://insights.fairwinds.com");
    }
  }

  @Test
  void refusesAnAddressWithMoreInItAndShowsNoneOfIt() {
    for (var host :
        List.of(
            "https://me:s3cret@insights.example.com",
            "https://insights.example.com?token=s3cret",
            "https://insights.example.com#s3cret")) {
      assertThat(hostProblems(host, Map.of()))
          .as(host)
          .containsExactly(
              "FAIRWINDS_INSIGHTS_HOST (--insights-host) must contain only scheme, host, port"
                  + " and path");
    }
  }

  @Test
  void allowsPlainHttpToThisMachine() {
    for (var host :
        List.of(
            "http://localhost:8080",
            "http://LOCALHOST",
            "http://127.0.0.1:8080",
            "http://127.1.2.3",
            "HTTP://127.0.0.1",
            "http://[::1]:8080")) {
      assertThat(hostProblems(host, Map.of())).as(host).isEmpty();
    }
  }

  @Test
  void refusesPlainHttpToAnyOtherMachine() {
    for (var host :
        List.of(
            "http://insights.example.com",
            "http://127.example.com",
            "http://127.0.0.1.example.com",
            "http://localhost.example.com",
            "http://10.0.0.1",
            "http://[::2]")) {
      assertThat(hostProblems(host, Map.of()))
          .as(host)
          .containsExactly(
              "FAIRWINDS_INSIGHTS_HOST (--insights-host) uses plain http, which sends the token"
                  + " unencrypted; use https, or set ALLOW_HTTP=true");
    }
  }

  @Test
  void allowsPlainHttpWhereItIsToldTo() {
    assertThat(hostProblems("http://insights.example.com", Map.of("ALLOW_HTTP", "true"))).isEmpty();
    assertThat(hostProblems("http://insights.example.com", Map.of("ALLOW_HTTP", "false")))
        .hasSize(1);
  }

  private static Optional<String> token(Map<String, String> more) {
    return settings(Map.of(), more).api().map(apiSettings -> apiSettings.token().reveal());
  }

  private static Optional<URI> host(String host, Map<String, String> more) {
    return settings(Map.of(), hostEnvironment(host, more)).api().map(ApiSettings::host);
  }

  private static List<String> hostProblems(String host, Map<String, String> more) {
    return problems(Map.of(), hostEnvironment(host, more));
  }

  private static Map<String, String> hostEnvironment(String host, Map<String, String> more) {
    var environment = environment(Map.of("FAIRWINDS_TOKEN", TOKEN));
    environment.put("FAIRWINDS_INSIGHTS_HOST", host);
    environment.putAll(more);
    return environment;
  }

  private static Map<String, String> environment(Map<String, String> more) {
    var environment = new HashMap<String, String>();
    environment.put("FAIRWINDS_INSIGHTS_HOST", "https://insights.example.com");
    environment.put("FAIRWINDS_ORG", "acme");
    environment.put("FAIRWINDS_CLUSTER", "prod-1");
    environment.putAll(more);
    return environment;
  }

  private static Settings settings(Map<Setting, String> flags, Map<String, String> more) {
    return SettingsReader.read(flags, environment(more), PinnedSettings.NONE);
  }

  private static List<String> problems(Map<String, String> more) {
    return problems(Map.of(), environment(more));
  }

  private static List<String> problems(
      Map<Setting, String> flags, Map<String, String> environment) {
    try {
      SettingsReader.read(flags, environment, PinnedSettings.NONE);
      return List.of();
    } catch (InvalidSettings e) {
      return e.problems();
    }
  }
}
