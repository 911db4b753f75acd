package dev.policysync.remote.insights;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.policysync.sync.PolicyStatus;
import dev.policysync.sync.PolicyStatus.Operation;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApplyStatusTest {
  @Test
  void sendsAManifestWhole() throws IOException {
    var body = "ü".repeat(100_000);

    assertThat(json(body, "").get("policyBody").asText()).isEqualTo(body);
  }

  @Test
  void sendsFourKibibytesOfOutputWhole() throws IOException {
    var output = "a".repeat(4096);

    assertThat(json("", output).get("output").asText()).isEqualTo(output);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "ü", "€", "😀", "a😀", "aü", "aa😀"})
  void shortensLongerOutputBetweenTwoCharacters(String unit) throws IOException {
    var sent = json("", unit.repeat(4097)).get("output").asText();

    assertThat(sent).endsWith(" … (shortened)").doesNotContain("\ufffd");
    assertThat(sent.getBytes(UTF_8).length).isBetween(4092, 4096);
    assertThat(unit.repeat(4097)).startsWith(sent.substring(0, sent.length() - 14));
  }

  @Test
  void staysJsonWhateverTheOutputHolds() throws IOException {
    var sent = json("\ud83d", "\u0000\u001b[31m\"\\ \ud83d");

    assertThat(sent.get("policyBody").asText()).isEqualTo("?");
    assertThat(sent.get("output").asText()).isEqualTo("\u0000\u001b[31m\"\\ ?");
  }

  private static JsonNode json(String body, String output) throws IOException {
    var status = new PolicyStatus("p", Operation.APPLY, false, Instant.EPOCH, output, List.of());
    return new ObjectMapper().readTree(ApplyStatus.json(status, body));
  }
}
