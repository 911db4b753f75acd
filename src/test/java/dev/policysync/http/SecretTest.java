package dev.policysync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretTest {
  @Test
  void printsAsStars() {
    var secret = Secret.of("abc");

    assertThat(secret).hasToString("***");
    assertThat(secret.reveal()).isEqualTo("abc");
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc\n", "  abc\r\n", "\ta\tb\r\nc ", "abc "})
  void losesSurroundingSpaceAndLineEndsAnywhere(String text) {
    assertThat(Secret.of(text).reveal()).isEqualTo("abc");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\r\n", "\t \n"})
  void isNeverEmpty(String text) {
    assertThatThrownBy(() -> Secret.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("is empty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tök-en", "tok\u0000en", "tok\u007fen"})
  void refusesWhatNoHeaderCanCarryWithoutShowingIt(String text) {
    assertThatThrownBy(() -> Secret.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("holds a character that is not printable ASCII");
  }
}
