package dev.policysync.base;

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
        .hasMessage("contains a character that is not printable ASCII");
  }

  @Test
  void knowsATextThatHoldsIt() {
    var secret = Secret.of("k7Qz-vXw9");

    assertThat(secret.isContainedIn("a k7Qz-vXw9 b")).isTrue();
    assertThat(secret.isContainedIn("k7Qz-vXw")).isFalse();
    assertThat(Secret.of("prod").isContainedIn("prod-1")).isFalse();
  }

  @Test
  void knowsATextThatShowsEightOfItsCharactersInWhateverCase() {
    var secret = Secret.of("k7Qz-vXw9-Jt3R");

    assertThat(secret.isRecognizableIn("https://X7QZ-VXW9-J.example")).isTrue();
    assertThat(secret.isRecognizableIn("k7qz-vx.example")).isFalse();
    assertThat(secret.isRecognizableIn("")).isFalse();
    assertThat(Secret.of("abc").isRecognizableIn("xABCx")).isTrue();
  }
}
