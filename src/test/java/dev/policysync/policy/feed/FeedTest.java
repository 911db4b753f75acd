package dev.policysync.policy.feed;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.Manifest;
import dev.policysync.policy.Policy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeedTest {
  private static final String ONE = policy("one", "# kept\n");
  private static final String TWO = policy("two", "");

  @Test
  void knowsTheTextOfEachPolicy() {
    assertThat(texts(ONE + "---\n" + TWO)).containsExactly(Optional.of(ONE), Optional.of(TWO));
  }

  @ParameterizedTest
  @ValueSource(strings = {"---\n", "--- \n", "---\r\n", "# a comment\n---\n", "\n\n---\n"})
  void leavesOutTheMarkAndWhatStandsBeforeIt(String before) {
    assertThat(texts(before + ONE)).containsExactly(Optional.of(ONE));
  }

  @Test
  void keepsWhatStandsBehindTheMarkOnItsLine() {
    assertThat(texts("--- # about it\n" + ONE)).containsExactly(Optional.of(" # about it\n" + ONE));
    assertThat(texts("--- " + json("one"))).containsExactly(Optional.of(" " + json("one") + "\n"));
  }

  @Test
  void keepsDashesInATextThatAreNoMark() {
    var pem =
        policy("one", "").replace("spec:", "spec:\n  key: |\n    -----BEGIN\n    ---\n  more:");

    assertThat(texts(pem)).containsExactly(Optional.of(pem));
  }

  @Test
  void endsEachTextInALineBreak() {
    assertThat(texts(ONE.stripTrailing())).containsExactly(Optional.of(ONE));
  }

  @Test
  void hasNoneForAnItemOfAList() {
    var list = "{apiVersion: v1, kind: List, items: [" + json("one") + ", " + json("two") + "]}";

    assertThat(texts(list)).containsExactly(Optional.empty(), Optional.empty());
  }

  @Test
  void hasNoneWhereADirectiveSaysWhatItMeans() {
    assertThat(texts("%TAG !k! tag:yaml.org,2002:\n---\n" + ONE)).containsExactly(Optional.empty());
  }

  @Test
  void hasNoneOfAStreamThatIsNotPlainUtf8() {
    assertThat(texts(("\uFEFF" + ONE).getBytes(UTF_16LE))).containsExactly(Optional.empty());
    assertThat(texts(("\uFEFF" + ONE).getBytes(UTF_8))).containsExactly(Optional.empty());
  }

  @Test
  void looksInTheStreamThatAPolicyComesFrom() {
    var feed =
        Feed.of(
            List.of(
                new Manifest("a.yaml", ("---\n" + ONE).getBytes(UTF_8)),
                new Manifest("b.yaml", TWO.getBytes(UTF_8))));

    assertThat(PolicyReader.read(feed.manifests()).policies())
        .extracting(feed::text)
        .containsExactly(Optional.of(ONE), Optional.of(TWO));
  }

  /// The text means the policy, whatever stands around it in the stream.
  @Test
  void meansThePolicyAlone() {
    for (var before : List.of("", "---\n", "--- # about it\n", "# a comment\n---\r\n")) {
      var feed = Feed.of(List.of(new Manifest("feed", (before + ONE).getBytes(UTF_8))));
      var policy = PolicyReader.read(feed.manifests()).policies().getFirst();

      var alone = new Manifest("feed", feed.text(policy).orElseThrow().getBytes(UTF_8));

      assertThat(PolicyReader.read(List.of(alone)).policies())
          .extracting(Policy::content)
          .containsExactly(policy.content());
    }
  }

  private static List<Optional<String>> texts(String stream) {
    return texts(stream.getBytes(UTF_8));
  }

  private static List<Optional<String>> texts(byte[] stream) {
    var feed = Feed.of(List.of(new Manifest("feed", stream)));
    return PolicyReader.read(feed.manifests()).policies().stream().map(feed::text).toList();
  }

  private static String policy(String name, String comment) {
    return """
    %sapiVersion: kyverno.io/v1
    kind: ClusterPolicy
    metadata: {name: %s}
    spec:
      background: true
    """
        .formatted(comment, name);
  }

  private static String json(String name) {
    return "{\"apiVersion\": \"kyverno.io/v1\", \"kind\": \"ClusterPolicy\", \"metadata\": {\"name\": \""
        + name
        + "\"}, \"spec\": {}}";
  }
}
