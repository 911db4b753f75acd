package dev.policysync.policy.kyverno;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AffectedVersionsTest {
  private static final AffectedVersions GAPPED =
      AffectedVersions.before("1.12.7").or(AffectedVersions.between("1.13.0", "1.13.1"));

  @Test
  void hasEachReleaseOfItsRangesAndNoOther() {
    assertThat(includes("1.12.6")).isTrue();
    assertThat(includes("1.12.7")).isFalse();
    assertThat(includes("1.13.0")).isTrue();
    assertThat(includes("1.13.1")).isFalse();
    assertThat(includes("1.9")).isTrue();
  }

  @Test
  void saysWhichTheyAre() {
    assertThat(GAPPED).hasToString("before 1.12.7; since 1.13.0, before 1.13.1");
    assertThat(AffectedVersions.ALL).hasToString("all");
  }

  @Test
  void readsAReleaseAsPeopleWriteIt() {
    assertThat(KyvernoVersion.parse("v1.18.2")).contains(new KyvernoVersion(1, 18, 2));
    assertThat(KyvernoVersion.parse("1.18")).contains(new KyvernoVersion(1, 18, 0));
    assertThat(KyvernoVersion.parse("1.18.2-rc.1")).contains(new KyvernoVersion(1, 18, 2));
    assertThat(KyvernoVersion.parse("latest")).isEmpty();
  }

  private static boolean includes(String version) {
    return GAPPED.include(KyvernoVersion.of(version));
  }
}
