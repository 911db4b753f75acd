package dev.policysync.remote.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.policysync.harness.TestAuthority;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.crypto.EncryptedPrivateKeyInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Against Java's own reading of the same files.
class RootsFileTest {
  private static final List<X509Certificate> ROOTS =
      List.of(Trust.fromEnvironment(Map.of()).all().getAcceptedIssuers());

  @Test
  void findsEachRootInTheRuntimesOwnFile() throws Exception {
    findsAll(
        Files.readAllBytes(Path.of(System.getProperty("java.home"), "lib", "security", "cacerts")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"JKS", "PKCS12"})
  void findsEachRootInAStoreOf(String type) throws Exception {
    findsAll(stored(store(type), type.equals("JKS") ? "changeit" : null));
  }

  /// As no JDK's roots are: what Java does with them is left to it.
  @Test
  void hasNoneOfAnEncryptedStore() throws Exception {
    assertThat(RootsFile.of(stored(store("PKCS12"), "changeit")).size()).isZero();
  }

  @Test
  void leavesOutWhatIsThereToIdentifyItsOwner() throws Exception {
    var store = store("PKCS12");
    var key = new EncryptedPrivateKeyInfo("PBEWithMD5AndDES", new byte[16]).getEncoded();
    var chain = chain();
    store.setKeyEntry("own", key, chain);
    var file = RootsFile.of(stored(store, null));

    assertThat(file.size()).isEqualTo(ROOTS.size());
    assertThat(file.named(List.of(chain[0].getSubjectX500Principal().getEncoded()))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"JKS", "PKCS12"})
  void hasNoneOfWhatIsCutOffOrGarbled(String type) throws Exception {
    var file = stored(store(type), type.equals("JKS") ? "changeit" : null);

    for (int length = 0; length < file.length / 2; length += 97) {
      assertThat(RootsFile.of(Arrays.copyOf(file, length)).size()).isZero();
    }
    for (int at = 0; at < file.length; at += 101) {
      var garbled = file.clone();
      garbled[at] = (byte) ~garbled[at];
      assertThatCode(() -> RootsFile.of(garbled)).doesNotThrowAnyException();
    }
  }

  static X509Certificate[] chain() throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(TestAuthority.shared().keyStore())) {
      store.load(in, TestAuthority.PASSWORD.toCharArray());
    }
    return Arrays.stream(store.getCertificateChain("server"))
        .map(X509Certificate.class::cast)
        .toArray(X509Certificate[]::new);
  }

  static byte[] stored(KeyStore store, @Nullable String password) throws Exception {
    var out = new ByteArrayOutputStream();
    store.store(out, password == null ? null : password.toCharArray());
    return out.toByteArray();
  }

  private static KeyStore store(String type) throws Exception {
    var store = KeyStore.getInstance(type);
    store.load(null, null);
    for (int i = 0; i < ROOTS.size(); i++) {
      store.setCertificateEntry("root-" + i, ROOTS.get(i));
    }
    return store;
  }

  private static void findsAll(byte[] bytes) throws Exception {
    var file = RootsFile.of(bytes);

    assertThat(file.size()).isEqualTo(ROOTS.size());
    for (var root : ROOTS) {
      assertThat(file.named(List.of(root.getSubjectX500Principal().getEncoded()))).contains(root);
    }
  }
}
