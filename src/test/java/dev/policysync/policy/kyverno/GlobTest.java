package dev.policysync.policy.kyverno;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// As `wildcard.Match` of Kyverno 1.19, which compares case and takes a dot for a dot.
class GlobTest {
  @ParameterizedTest
  @CsvSource({
    "*,kube-system",
    "kube-*,kube-system",
    "k?be-sys*m,kube-system",
    "*-*,kube-system",
    "a,a",
    "a*,a",
    "'',''",
    "**,kube-system",
    "kube-s?stem*,kube-system"
  })
  void matches(String pattern, String text) {
    assertThat(Glob.matches(pattern, text)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "kube,kube-system",
    "shop-*,kube-system",
    "kube-system?,kube-system",
    "*x,kube-system",
    "'',kube-system",
    "?,''",
    "kube.system,kube-system",
    "KUBE-*,kube-system"
  })
  void aGlobDoesNotMatch(String pattern, String text) {
    assertThat(Glob.matches(pattern, text)).isFalse();
  }
}
