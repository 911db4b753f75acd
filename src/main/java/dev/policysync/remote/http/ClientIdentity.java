package dev.policysync.remote.http;

import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// A client certificate and its private key, with which a client authenticates itself in TLS.
///
/// The key may be PKCS #8 (`PRIVATE KEY`), PKCS #1 (`RSA PRIVATE KEY`) or SEC 1 (`EC PRIVATE KEY`);
/// OpenSSL and Go write all three. Java reads only PKCS #8. The other two are converted to it by
/// adding the algorithm, which is in the certificate.
public final class ClientIdentity {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN ((?:[A-Z0-9]+ )?PRIVATE KEY)-----([^-]*)-----END \\1-----");

  private static final int OCTET_STRING = 0x04;
  private static final int SEQUENCE = 0x30;
  private static final byte[] VERSION = {0x02, 1, 0};

  private final List<X509Certificate> chain;
  private final PrivateKey key;

  private ClientIdentity(List<X509Certificate> chain, PrivateKey key) {
    this.chain = chain;
    this.key = key;
  }

  /// Parses a certificate and its key from two PEM texts.
  ///
  /// @param certificateOrigin the certificate's source for messages: `client-certificate:
  ///   /etc/me.crt`
  /// @param keyOrigin the key's source for messages
  /// @throws IllegalArgumentException if either text is invalid; no message quotes them
  public static ClientIdentity parse(
      String certificatePem, String certificateOrigin, String keyPem, String keyOrigin) {
    var chain = PemBundle.parse(certificatePem, certificateOrigin).certificates();
    return new ClientIdentity(chain, key(keyPem, keyOrigin, chain.getFirst()));
  }

  /// Returns why the certificate is not valid at that time: `expired at …` or `is not valid before
  /// …`. Empty if it is valid.
  public Optional<String> invalidAt(Instant time) {
    return CertificateDates.invalidAt(chain.getFirst(), time);
  }

  /// Returns a key manager that presents the certificate to every server that requests one,
  /// regardless of the authorities that the server names.
  X509ExtendedKeyManager keyManager() {
    return new OnlyKey(chain.toArray(X509Certificate[]::new), key);
  }

  private static PrivateKey key(String pem, String origin, X509Certificate certificate) {
    var block = KEY.matcher(pem);
    if (!block.find()) {
      throw new IllegalArgumentException(
          origin + " contains no private key; expected a PEM block such as PRIVATE KEY");
    }
    var type = block.group(1);
    if (type.startsWith("ENCRYPTED ") || block.group(2).contains("ENCRYPTED")) {
      throw new IllegalArgumentException(
          origin + " is encrypted with a passphrase, which is not supported; decrypt it");
    }
    try {
      var der = Base64.getMimeDecoder().decode(block.group(2));
      var owner = certificate.getPublicKey();
      var pkcs8 = type.equals("PRIVATE KEY") ? der : pkcs8(der, owner.getEncoded());
      return KeyFactory.getInstance(owner.getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    } catch (IllegalArgumentException | GeneralSecurityException _) {
      // The cause is left out, because it may quote the key.
      throw new IllegalArgumentException(
          origin + " is malformed, truncated or of another algorithm than its certificate");
    }
  }

  /// Converts a key from PKCS #1 or SEC 1 to PKCS #8 (RFC 5958): version, algorithm, key.
  ///
  /// @param publicKey the encoded public key (RFC 5280, 4.1: the algorithm, then the key)
  private static byte[] pkcs8(byte[] key, byte[] publicKey) {
    return element(SEQUENCE, VERSION, algorithm(publicKey), element(OCTET_STRING, key));
  }

  /// Returns the first element of a public key: a sequence of fewer than 128 bytes, like the
  /// algorithms that Java reads from a certificate.
  private static byte[] algorithm(byte[] publicKey) {
    var lengthBytes = publicKey[1] < 0 ? publicKey[1] & 0x7f : 0;
    var start = 2 + lengthBytes;
    return Arrays.copyOfRange(publicKey, start, start + 2 + publicKey[start + 1]);
  }

  private static byte[] element(int tag, byte[]... contents) {
    var length = Arrays.stream(contents).mapToInt(content -> content.length).sum();
    var element = new ByteArrayOutputStream();
    element.write(tag);
    // Three length bytes are enough for 16 MiB, and Java accepts more length bytes than necessary.
    for (var octet : new int[] {0x83, length >> 16, length >> 8, length}) {
      element.write(octet);
    }
    for (var content : contents) {
      element.writeBytes(content);
    }
    return element.toByteArray();
  }

  private static final class OnlyKey extends X509ExtendedKeyManager {
    private static final String ALIAS = "client";

    private final X509Certificate[] chain;
    private final PrivateKey key;

    private OnlyKey(X509Certificate[] chain, PrivateKey key) {
      this.chain = chain;
      this.key = key;
    }

    private @Nullable String alias(String[] types) {
      return Arrays.asList(types).contains(key.getAlgorithm()) ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return alias(types);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return alias(types);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return chain.clone();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return key;
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
      return type.equals(key.getAlgorithm()) ? new String[] {ALIAS} : null;
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseServerAlias(
        String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }
  }
}
