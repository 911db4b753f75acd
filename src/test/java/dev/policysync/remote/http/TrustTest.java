package dev.policysync.remote.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.harness.TestAuthority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustTest {
  @TempDir static Path directory;
  private static String authority;

  @BeforeAll
  static void makeAuthority() throws Exception {
    authority = Files.readString(TestAuthority.shared().pem());
  }

  @Test
  void isTheRuntimesRootsWhereNothingIsSet() {
    var trust = Trust.fromEnvironment(Map.of("SSL_CERT_FILE", " "));

    assertThat(trust.trustManager().getAcceptedIssuers()).hasSizeGreaterThan(50);
  }

  @Test
  void addsTheBundleToTheRuntimesRoots() throws Exception {
    var roots = Trust.fromEnvironment(Map.of()).trustManager().getAcceptedIssuers();
    var file = write("one.pem", authority);

    var trust = Trust.fromEnvironment(Map.of("SSL_CERT_FILE", file.toString()));

    assertThat(trust.trustManager().getAcceptedIssuers())
        .hasSize(roots.length + 1)
        .contains(roots)
        .anySatisfy(issuer ->
            assertThat(issuer.getSubjectX500Principal()).hasToString("CN=Test authority"));
  }

  @Test
  void readsEveryBlockOfABundleAndSkipsWhatLiesBetween() throws Exception {
    var root = Trust.fromEnvironment(Map.of()).trustManager().getAcceptedIssuers()[0];
    var bundle =
        "# our authorities – müßig\n"
            + authority.replace("\n", "\r\n")
            + "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n0 comment\n"
            + TestAuthority.pem(root);

    var trust = Trust.only(write("two.pem", bundle));

    assertThat(trust.trustManager().getAcceptedIssuers()).hasSize(2).contains(root);
  }

  @Test
  void isTheGivenBundleAloneWhereAClusterHasItsOwn() throws Exception {
    var trust = Trust.only(write("own.pem", authority));

    assertThat(trust.trustManager().getAcceptedIssuers()).hasSize(1);
  }

  @Test
  void makesOneSocketFactory() throws Exception {
    var trust = Trust.only(write("own.pem", authority));

    assertThat(trust.socketFactory()).isSameAs(trust.socketFactory());
  }

  @Test
  void namesVariableAndPathOfAMissingFile() {
    assertThatThrownBy(() -> Trust.fromEnvironment(Map.of("SSL_CERT_FILE", "/no/such/ca.crt")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("SSL_CERT_FILE: /no/such/ca.crt: no such file");
  }

  @Test
  void saysThatADirectoryIsNoFile() {
    assertThatThrownBy(() -> Trust.only(directory))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(directory + ": cannot be read: Is a directory");
  }

  @Test
  void refusesAFileWithoutCertificates() throws Exception {
    var file = write("empty.pem", "no certificate here\n");

    assertThatThrownBy(() -> Trust.fromEnvironment(Map.of("SSL_CERT_FILE", file.toString())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "SSL_CERT_FILE: "
                + file
                + " contains no certificate; expected PEM blocks that begin with -----BEGIN"
                + " CERTIFICATE-----");
  }

  @Test
  void saysWhichCertificateIsBroken() throws Exception {
    var broken = write("broken.pem", authority + authority.replaceFirst("MII", "XXX"));
    var cutOff = write("cut.pem", authority + authority.substring(0, authority.length() / 2));

    for (var file : List.of(broken, cutOff)) {
      assertThatThrownBy(() -> Trust.only(file))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(file + ": certificate 2 is malformed or truncated");
    }
  }

  private static Path write(String name, String text) throws Exception {
    return Files.writeString(directory.resolve(name), text);
  }
}
