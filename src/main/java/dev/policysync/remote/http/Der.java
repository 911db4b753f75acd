package dev.policysync.remote.http;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// One element of ASN.1's distinguished encoding (X.690), in the bytes that contain it. Whatever is
/// not as expected is an [IllegalArgumentException].
final class Der {
  static final int INTEGER = 0x02;
  static final int OCTET_STRING = 0x04;
  static final int OBJECT_IDENTIFIER = 0x06;
  static final int SEQUENCE = 0x30;
  static final int SET = 0x31;

  /// What an explicit tag `[0]` wraps.
  static final int WRAPPED = 0xa0;

  private final byte[] bytes;
  private final int start;
  private final int content;
  private final int end;

  private Der(byte[] bytes, int start, int content, int end) {
    this.bytes = bytes;
    this.start = start;
    this.content = content;
    this.end = end;
  }

  /// The element that begins there and ends before `limit`.
  static Der at(byte[] bytes, int start, int limit) {
    if (start < 0 || start + 2 > limit || limit > bytes.length) {
      throw new IllegalArgumentException("no element at " + start);
    }
    var length = bytes[start + 1] & 0xff;
    var content = start + 2;
    if (length > 0x7f) {
      var digits = length & 0x7f;
      if (digits < 1 || digits > 3 || content + digits > limit) {
        throw new IllegalArgumentException("no length at " + start);
      }
      length = 0;
      for (int i = 0; i < digits; i++) {
        length = (length << 8) | (bytes[content + i] & 0xff);
      }
      content += digits;
    }
    if (length > limit - content) {
      throw new IllegalArgumentException("cut off at " + start);
    }
    return new Der(bytes, start, content, content + length);
  }

  /// Its first byte; certificates and their stores have no tags of several bytes.
  int tag() {
    return bytes[start] & 0xff;
  }

  /// The first element of its content.
  Der first() {
    return at(bytes, content, end);
  }

  /// The first element of its content, which has to be of that tag.
  Der first(int expected) {
    return first().requireTag(expected);
  }

  /// The only element of its content, which has to be of that tag.
  Der only(int expected) {
    var only = first(expected);
    if (only.end != end) {
      throw new IllegalArgumentException("more than one element at " + content);
    }
    return only;
  }

  /// The element behind it, within the one that contains both.
  Der next(Der parent, int expected) {
    return at(bytes, end, parent.end).requireTag(expected);
  }

  /// All elements of its content.
  List<Der> items() {
    var items = new ArrayList<Der>();
    for (int from = content; from < end; from = items.getLast().end) {
      items.add(at(bytes, from, end));
    }
    return items;
  }

  /// Whether its content is just that.
  boolean contains(byte[] value) {
    return Arrays.equals(bytes, content, end, value, 0, value.length);
  }

  /// Whether the whole element is just that.
  boolean is(byte[] encoded) {
    return Arrays.equals(bytes, start, end, encoded, 0, encoded.length);
  }

  /// The whole element.
  ByteArrayInputStream stream() {
    return new ByteArrayInputStream(bytes, start, end - start);
  }

  /// A copy of the whole element.
  byte[] bytes() {
    return Arrays.copyOfRange(bytes, start, end);
  }

  private Der requireTag(int expected) {
    if (tag() != expected) {
      throw new IllegalArgumentException("another element than expected at " + start);
    }
    return this;
  }
}
