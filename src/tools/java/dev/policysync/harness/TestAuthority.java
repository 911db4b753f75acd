package dev.policysync.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// A certificate authority of its own, and a server certificate by it for `localhost`, `127.0.0.1`
/// and `insights.example`. Made by the JDK's keytool, so that no private key lies in the
/// repository.
///
/// @param keyStore PKCS #12 with the server's key and chain
/// @param pem the authority's certificate
public record TestAuthority(Path keyStore, Path pem) {
  public static final String PASSWORD = "changeit";

  private static final class Shared {
    private static final TestAuthority INSTANCE = make();
  }

  /// One for the whole test run, because keytool takes seconds.
  public static TestAuthority shared() {
    return Shared.INSTANCE;
  }

  private static TestAuthority make() {
    try {
      return in(Files.createTempDirectory("authority"));
    } catch (Exception e) {
      throw new IllegalStateException("cannot make certificates for the tests", e);
    }
  }

  private static TestAuthority in(Path directory) throws Exception {
    var keyStore = directory.resolve("server.p12");
    var authority = directory.resolve("authority.p12");
    keytool(authority, "ca", "CN=Test authority", "-ext", "bc:c");
    Files.copy(authority, keyStore);
    keytool(
        keyStore,
        "server",
        "CN=Test server",
        "-signer",
        "ca",
        "-ext",
        "eku=serverAuth",
        "-ext",
        "san=dns:localhost,ip:127.0.0.1,dns:insights.example");
    var pem = directory.resolve("ca.pem");
    Files.writeString(pem, pem(certificate(authority)));
    withoutAuthoritysKey(keyStore);
    directory.toFile().deleteOnExit();
    for (var file : List.of(keyStore, authority, pem)) {
      file.toFile().deleteOnExit();
    }
    return new TestAuthority(keyStore, pem);
  }

  public static String pem(Certificate certificate) throws GeneralSecurityException {
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder().encodeToString(certificate.getEncoded())
        + "\n-----END CERTIFICATE-----\n";
  }

  private static Certificate certificate(Path authority)
      throws GeneralSecurityException, IOException {
    return KeyStore.getInstance(authority.toFile(), PASSWORD.toCharArray()).getCertificate("ca");
  }

  private static void withoutAuthoritysKey(Path keyStore)
      throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance(keyStore.toFile(), PASSWORD.toCharArray());
    store.deleteEntry("ca");
    try (var out = Files.newOutputStream(keyStore)) {
      store.store(out, PASSWORD.toCharArray());
    }
  }

  private static void keytool(Path keyStore, String alias, String name, String... more)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", alias, "-dname", name));
    command.addAll(List.of("-keyalg", "RSA", "-keysize", "2048", "-validity", "2"));
    command.addAll(List.of("-keystore", keyStore.toString(), "-storepass", PASSWORD));
    command.addAll(List.of(more));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("keytool failed: " + output);
    }
  }
}
