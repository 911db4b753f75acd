package dev.policysync.remote.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// The certificates of a PEM text, in their order; other blocks and the text between blocks are
/// skipped.
///
/// The text is split here, because `CertificateFactory.generateCertificates` rejects a bundle that
/// contains a private key, such as the file of a combined client certificate, and does not say
/// which certificate is invalid.
///
/// @param origin the source of the text for messages: `SSL_CERT_FILE: /etc/ca/ca.crt`
record PemBundle(String origin, List<X509Certificate> certificates) {
  private static final String BEGIN = "-----BEGIN CERTIFICATE-----";
  private static final String END = "-----END CERTIFICATE-----";

  PemBundle {
    certificates = List.copyOf(certificates);
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException(
          origin + " contains no certificate; expected PEM blocks that begin with " + BEGIN);
    }
  }

  /// Reads the bundle in a file.
  ///
  /// @throws IllegalArgumentException if the file cannot be read or contains no certificate; the
  ///   message names the origin
  static PemBundle of(Path file, String origin) {
    try {
      // PEM is ASCII; as Latin-1, comments in any encoding can be read.
      return parse(Files.readString(file, StandardCharsets.ISO_8859_1), origin);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(origin + ": no such file", e);
    } catch (AccessDeniedException e) {
      throw new IllegalArgumentException(origin + ": permission denied", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(origin + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /// Reads the bundle in a text.
  ///
  /// @throws IllegalArgumentException if the text contains no certificate or an invalid one; the
  ///   message names the origin
  static PemBundle parse(String pem, String origin) {
    var certificates = new ArrayList<X509Certificate>();
    var begin = pem.indexOf(BEGIN);
    while (begin >= 0) {
      var end = pem.indexOf(END, begin);
      var block = end < 0 ? "" : pem.substring(begin + BEGIN.length(), end);
      certificates.add(certificate(block, certificates.size() + 1, origin));
      begin = pem.indexOf(BEGIN, end);
    }
    return new PemBundle(origin, certificates);
  }

  private static X509Certificate certificate(String base64, int number, String origin) {
    try {
      var der = Base64.getMimeDecoder().decode(base64);
      var factory = CertificateFactory.getInstance("X.509");
      return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der));
    } catch (IllegalArgumentException | CertificateException e) {
      throw new IllegalArgumentException(
          origin + ": certificate " + number + " is malformed or truncated", e);
    }
  }
}
