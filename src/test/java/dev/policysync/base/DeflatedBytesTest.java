package dev.policysync.base;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class DeflatedBytesTest {
  @RepeatedTest(50)
  void areThoseThatWereWritten(RepetitionInfo repetition) throws IOException {
    var random = new Random(repetition.getCurrentRepetition());
    var bytes = anything(random, random.nextInt(100_000));
    var deflated = new DeflatedBytes();
    for (int at = 0; at < bytes.length; ) {
      var count = Math.min(1 + random.nextInt(20_000), bytes.length - at);
      if (count == 1) {
        deflated.write(bytes[at]);
      } else {
        deflated.write(bytes, at, count);
      }
      at += count;
      assertThat(deflated.part(at / 2, at)).isEqualTo(Arrays.copyOfRange(bytes, at / 2, at));
    }
    deflated.close();

    assertThat(deflated.length()).isEqualTo(bytes.length);
    assertThat(deflated.inputStream().readAllBytes()).isEqualTo(bytes);
    for (int i = 0; i < 20; i++) {
      var from = random.nextInt(bytes.length + 1);
      var to = from + random.nextInt(bytes.length - from + 1);
      assertThat(deflated.part(from, to)).isEqualTo(Arrays.copyOfRange(bytes, from, to));
    }
  }

  @Test
  void areAsTheyWereWhenTheyWereClosed() {
    var deflated = new DeflatedBytes();
    var bytes = "kind: ClusterPolicy\n".repeat(2_000).getBytes(UTF_8);
    deflated.write(bytes, 0, bytes.length);
    deflated.close();
    deflated.close();

    assertThatThrownBy(() -> deflated.write(1)).isInstanceOf(IllegalStateException.class);
    assertThat(deflated.part(0, bytes.length)).isEqualTo(bytes);
  }

  @Test
  void areReadByteByByte() throws IOException {
    var deflated = new DeflatedBytes();
    deflated.write(new byte[] {1, -1});
    deflated.close();

    try (var in = deflated.inputStream()) {
      assertThat(in.read()).isEqualTo(1);
      assertThat(in.read()).isEqualTo(255);
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void mayBeNone() throws IOException {
    var deflated = new DeflatedBytes();
    deflated.close();

    assertThat(deflated.length()).isZero();
    assertThat(deflated.part(0, 0)).isEmpty();
    assertThat(deflated.inputStream().readAllBytes()).isEmpty();
  }

  @Test
  void haveNoPartBehindTheirEnd() {
    var deflated = new DeflatedBytes();
    deflated.write(7);

    assertThatThrownBy(() -> deflated.part(0, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> deflated.part(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  /// Half of it text that can be deflated, half of it noise that cannot.
  private static byte[] anything(Random random, int count) {
    var bytes = "kind: ClusterPolicy\n".repeat(count / 20 + 1).getBytes(UTF_8);
    var noise = new byte[count / 2];
    random.nextBytes(noise);
    System.arraycopy(noise, 0, bytes, 0, noise.length);
    return Arrays.copyOf(bytes, count);
  }
}
