package dev.policysync.remote.http;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

/// The certificates in a key store, found by their subject without parsing the others. Java makes
/// an object of each of some 150 roots before it looks for one, an eighth of a second of CPU.
///
/// Read are trusted certificates of the two formats in which Java's roots come: JKS, and PKCS #12
/// (RFC 7292) without a password. Whatever else a file is, it has none: who asks has to ask Java.
final class RootsFile {
  private static final int JKS = 0xfeedfeed;
  private static final int JKS_VERSION = 2;
  private static final int JKS_CERTIFICATE = 2;

  /// 1.2.840.113549.1.7.1
  private static final byte[] DATA = HexFormat.of().parseHex("2a864886f70d010701");

  /// 1.2.840.113549.1.12.10.1.3
  private static final byte[] CERTIFICATE_BAG = HexFormat.of().parseHex("2a864886f70d010c0a0103");

  /// 1.2.840.113549.1.9.22.1
  private static final byte[] X509 = HexFormat.of().parseHex("2a864886f70d01091601");

  /// 2.16.840.1.113894.746875.1.1: Java trusts a certificate in PKCS #12 for this attribute alone.
  private static final byte[] TRUSTED = HexFormat.of().parseHex("6086480186f966adca7b0101");

  private final List<Root> found;

  private RootsFile(List<Root> found) {
    this.found = found;
  }

  private record Root(Der certificate, Der subject) {
    private X509Certificate parsed() throws CertificateException {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509").generateCertificate(certificate.stream());
    }
  }

  /// @param file the bytes of a key store
  static RootsFile of(byte[] file) {
    try {
      var number = file.length < Integer.BYTES ? 0 : ByteBuffer.wrap(file).getInt();
      return new RootsFile(number == JKS ? jks(file) : pkcs12(file));
    } catch (IllegalArgumentException | BufferUnderflowException _) {
      return new RootsFile(List.of());
    }
  }

  /// Those whose subject is one of these.
  ///
  /// @param names encoded, as an issuer is in a certificate
  List<X509Certificate> named(Collection<byte[]> names) throws CertificateException {
    var named = new ArrayList<X509Certificate>();
    for (var root : found) {
      if (names.stream().anyMatch(root.subject()::is)) {
        named.add(root.parsed());
      }
    }
    return named;
  }

  /// How many there are.
  int size() {
    return found.size();
  }

  private static List<Root> jks(byte[] file) {
    var found = new ArrayList<Root>();
    var rest = ByteBuffer.wrap(file, Integer.BYTES, file.length - Integer.BYTES);
    requireEqual(rest.getInt(), JKS_VERSION);
    for (int left = rest.getInt(); left > 0; left--) {
      requireEqual(rest.getInt(), JKS_CERTIFICATE);
      skip(rest, rest.getShort() & 0xffff);
      skip(rest, Long.BYTES);
      skip(rest, rest.getShort() & 0xffff);
      var length = rest.getInt();
      found.add(root(Der.at(file, rest.position(), rest.position() + length)));
      skip(rest, length);
    }
    return found;
  }

  private static void skip(ByteBuffer file, int bytes) {
    file.position(file.position() + bytes);
  }

  private static List<Root> pkcs12(byte[] file) {
    var found = new ArrayList<Root>();
    var store = Der.at(file, 0, file.length);
    var content = store.first(Der.INTEGER).next(store, Der.SEQUENCE);
    for (var part : data(content).first(Der.SEQUENCE).items()) {
      for (var bag : data(part).first(Der.SEQUENCE).items()) {
        var type = bag.first(Der.OBJECT_IDENTIFIER);
        var wrapped = type.next(bag, Der.WRAPPED);
        if (type.contains(CERTIFICATE_BAG) && trusted(wrapped.next(bag, Der.SET))) {
          found.add(root(certificate(wrapped.first(Der.SEQUENCE))));
        }
      }
    }
    return found;
  }

  private static Der data(Der contentInfo) {
    var type = contentInfo.first(Der.OBJECT_IDENTIFIER);
    require(type.contains(DATA));
    return type.next(contentInfo, Der.WRAPPED).first(Der.OCTET_STRING);
  }

  private static boolean trusted(Der attributes) {
    return attributes.items().stream()
        .anyMatch(attribute -> attribute.first(Der.OBJECT_IDENTIFIER).contains(TRUSTED));
  }

  private static Der certificate(Der bag) {
    var type = bag.first(Der.OBJECT_IDENTIFIER);
    require(type.contains(X509));
    return type.next(bag, Der.WRAPPED).first(Der.OCTET_STRING).only(Der.SEQUENCE);
  }

  /// RFC 5280, 4.1: version (with a tag of its own), serial number, signature, issuer, validity,
  /// subject.
  private static Root root(Der certificate) {
    requireEqual(certificate.tag(), Der.SEQUENCE);
    var signed = certificate.first(Der.SEQUENCE);
    var version = signed.first();
    var serial =
        version.tag() == Der.WRAPPED
            ? version.next(signed, Der.INTEGER)
            : signed.first(Der.INTEGER);
    var signature = serial.next(signed, Der.SEQUENCE);
    var issuer = signature.next(signed, Der.SEQUENCE);
    var validity = issuer.next(signed, Der.SEQUENCE);
    return new Root(certificate, validity.next(signed, Der.SEQUENCE));
  }

  private static void requireEqual(int value, int expected) {
    require(value == expected);
  }

  private static void require(boolean expected) {
    if (!expected) {
      throw new IllegalArgumentException("another format");
    }
  }
}
