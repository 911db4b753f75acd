package dev.policysync.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Adoption;
import dev.policysync.sync.execution.WriteMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a job's environment cannot change.
class PinnedSettingsTest {
  @TempDir Path folder;

  private Path file;

  @BeforeEach
  void pin() throws IOException {
    file =
        Files.writeString(
            folder.resolve("pinned"),
            """
            # where the token goes
            FAIRWINDS_INSIGHTS_HOST=https://insights.example.com

            FAIRWINDS_ORG = acme & sons
            FAIRWINDS_CLUSTER=prod-1
            MAX_REMOVALS=3
            ADOPT=never
            DRY_RUN=true
            HTTPS_PROXY=
            NO_PROXY=.corp.example
            SSL_CERT_FILE=/etc/policy-sync/ca/ca.crt
            """);
  }

  @Test
  void takeTheirPlaceWhereNothingElseSaysSo() {
    var settings = read(Map.of(), Map.of("FAIRWINDS_TOKEN", "t0ken"));

    assertThat(settings.api().orElseThrow().host()).hasToString("https://insights.example.com");
    assertThat(settings.source()).hasToString("acme & sons/prod-1");
    assertThat(settings.guards().maxRemovals()).hasToString("3");
    assertThat(settings.guards().adoption()).isEqualTo(Adoption.NEVER);
    assertThat(settings.writeMode()).isEqualTo(WriteMode.DRY_RUN);
  }

  @Test
  void mayBeRepeatedAndOtherSettingsBeMade() {
    var settings =
        read(
            Map.of(Setting.CLUSTER, "prod-1"),
            Map.of(
                "FAIRWINDS_TOKEN",
                "t0ken",
                "MAX_REMOVALS",
                " 3 ",
                "CONCURRENCY",
                "9",
                "ADOPT",
                ""));

    assertThat(settings.limits().concurrency()).isEqualTo(9);
  }

  @ParameterizedTest
  @CsvSource({
    "FAIRWINDS_INSIGHTS_HOST, https://elsewhere.example",
    "FAIRWINDS_ORG, other",
    "FAIRWINDS_CLUSTER, prod-2",
    "MAX_REMOVALS, 100%",
    "ADOPT, always",
    "DRY_RUN, false",
    "HTTPS_PROXY, http://elsewhere.example:3128",
    "https_proxy, http://elsewhere.example:3128",
    "NO_PROXY, *",
    "no_proxy, *",
    "SSL_CERT_FILE, /elsewhere/ca.crt"
  })
  void refuseAnotherValueInTheEnvironmentByName(String variable, String value) {
    assertThat(problems(Map.of(), Map.of("FAIRWINDS_TOKEN", "t0ken", variable, value)))
        .containsExactly(variable + " is pinned, but the environment sets another value");
  }

  @Test
  void refuseAnotherValueOfAFlagByName() {
    assertThat(problems(Map.of(Setting.ADOPT, "always"), Map.of("FAIRWINDS_TOKEN", "t0ken")))
        .containsExactly("ADOPT is pinned, but --adopt sets another value");
  }

  @ParameterizedTest
  @ValueSource(strings = {"MAX_REMOVAL=3", "max_removals=3", "MAX_REMOVALS", "=3", "{}"})
  void mustNotBeMisspelt(String line) throws IOException {
    Files.writeString(file, "ADOPT=never\n" + line + "\n");

    assertThat(problems(Map.of(Setting.FROM, "-"), Map.of()))
        .containsExactly(
            "line 2 of "
                + file
                + " is invalid; expected NAME=value with the name of an environment variable");
  }

  @Test
  void thePinnedFileMustBeReadable() throws IOException {
    Files.delete(file);
    Files.createDirectory(file);

    assertThat(problems(Map.of(Setting.FROM, "-"), Map.of()))
        .containsExactly("the pinned settings in " + file + " cannot be read");
  }

  @Test
  void areNoneWhereNoFileIsMounted() {
    assertThat(PinnedSettings.in(folder.resolve("none")).over(Map.of("A", "b")))
        .isEqualTo(Map.of("A", "b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"})
  void inAPodOptionsForJavaAreRefusedUnlessTheyAreAllowed(String variable) throws IOException {
    Files.delete(file);
    var pod = new HashMap<>(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1", variable, "-Dx=y"));

    assertThat(problems(Map.of(Setting.FROM, "-"), pod))
        .containsExactly(
            variable
                + " changes the options of Java, which is not allowed in a pod; set"
                + " ALLOW_JVM_OPTIONS=true to allow it");
    pod.put("ALLOW_JVM_OPTIONS", "true");
    assertThat(problems(Map.of(Setting.FROM, "-"), pod)).isEmpty();
    assertThat(problems(Map.of(Setting.FROM, "-"), Map.of(variable, "-Dx=y"))).isEmpty();
  }

  @Test
  void canForbidToAllowOptionsForJava() throws IOException {
    Files.writeString(file, "ALLOW_JVM_OPTIONS=false");
    var pod =
        Map.of(
            "KUBERNETES_SERVICE_HOST", "10.0.0.1",
            "JAVA_TOOL_OPTIONS", "-javaagent:x.jar",
            "ALLOW_JVM_OPTIONS", "true");

    assertThat(problems(Map.of(Setting.FROM, "-"), pod))
        .containsExactly(
            "ALLOW_JVM_OPTIONS is pinned, but the environment sets another value",
            "JAVA_TOOL_OPTIONS changes the options of Java, which is not allowed in a pod; set"
                + " ALLOW_JVM_OPTIONS=true to allow it");
  }

  private Settings read(Map<Setting, String> flags, Map<String, String> environment) {
    return SettingsReader.read(flags, environment, PinnedSettings.in(file));
  }

  private List<String> problems(Map<Setting, String> flags, Map<String, String> environment) {
    try {
      read(flags, environment);
      return List.of();
    } catch (InvalidSettings e) {
      return e.problems();
    }
  }
}
