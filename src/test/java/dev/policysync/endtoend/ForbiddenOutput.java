package dev.policysync.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.FakeInsights;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What no output may show: any part of the API's token, and anything of a policy's content.
final class ForbiddenOutput {
  /// A text that stands in policies and nowhere else, in a form that fits almost everywhere.
  static final String MARKER = "Zq8wobbleTk41vexMarker";

  /// Of a token, eight characters are a part of it. Shorter texts of a policy than twelve may be in
  /// a message by chance, and are let through.
  private static final List<String> PARTS =
      Stream.of(
              parts(FakeInsights.TOKEN, 8),
              Stream.of(base64(FakeInsights.TOKEN), hexadecimal(FakeInsights.TOKEN)),
              parts(MARKER, 12),
              Stream.of(base64(MARKER), hexadecimal(MARKER)))
          .flatMap(part -> part)
          .map(ForbiddenOutput::folded)
          .toList();

  private ForbiddenOutput() {}

  /// Proves that none of it is in there.
  static void assertUnsaid(String output) {
    var text = folded(output);
    var said = PARTS.stream().filter(text::contains).toList();
    assertThat(said).as("said in: %s", output).isEmpty();
  }

  private static Stream<String> parts(String secret, int length) {
    return IntStream.rangeClosed(0, secret.length() - length)
        .mapToObj(i -> secret.substring(i, i + length));
  }

  private static String base64(String secret) {
    return Base64.getEncoder().encodeToString(secret.getBytes(UTF_8)).substring(0, 16);
  }

  private static String hexadecimal(String secret) {
    return HexFormat.of().formatHex(secret.getBytes(UTF_8)).substring(0, 16);
  }

  private static String folded(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
