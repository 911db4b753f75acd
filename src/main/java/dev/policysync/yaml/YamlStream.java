package dev.policysync.yaml;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.json.Value;
import dev.policysync.yaml.YamlSections.Section;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Reads a stream of YAML documents, each as sigs.k8s.io/yaml 1.6.0 would. A document that cannot
/// be read is reported as such and hides no other.
public final class YamlStream {
  private static final int MOST_LOOSE_TABS = 100; // each costs reading the document again

  /// What Java reads bytes as that are no character; it may also be there in so many words.
  private static final char REPLACEMENT = '\uFFFD';

  private final Consumer<YamlDocument> documents;
  private final DocumentLimit limit;
  private final LocationDetail locationDetail;
  private final Map<String, String> names = new HashMap<>();
  private int count;

  private YamlStream(
      Consumer<YamlDocument> documents, DocumentLimit limit, LocationDetail locationDetail) {
    this.documents = documents;
    this.limit = limit;
    this.locationDetail = locationDetail;
  }

  /// Hands over the documents in the order of the stream, empty ones included; one beyond the limit
  /// cannot be read.
  public static void read(byte[] bytes, DocumentLimit limit, Consumer<YamlDocument> documents) {
    read(bytes, limit, documents, LocationDetail.WITH_CHILDREN);
  }

  /// The same, with the place of every node and of every field's name.
  public static void readWithPlaces(
      byte[] bytes, DocumentLimit limit, Consumer<YamlDocument> documents) {
    read(bytes, limit, documents, LocationDetail.EVERYTHING);
  }

  private static void read(
      byte[] bytes,
      DocumentLimit limit,
      Consumer<YamlDocument> documents,
      LocationDetail locationDetail) {
    var stream = new YamlStream(documents, limit, locationDetail);
    try {
      var utf8 = utf8(bytes);
      stream.readAll(utf8, Arrays.equals(utf8, bytes));
    } catch (CharacterCodingException e) {
      var problem =
          new YamlProblem("not valid UTF-16, although the byte order mark says so", Location.START);
      stream.broken(problem, Value.Mapping.EMPTY);
    }
  }

  /// @param whole whether these are all bytes of the stream
  private void readAll(byte[] utf8, boolean whole) {
    for (var section : YamlSections.of(utf8)) {
      try {
        requireRoom(section);
        var text = text(utf8, section);
        Directives.check(text);
        var excerpt =
            whole && !Directives.any(text)
                ? Optional.of(new Excerpt(section.from(), section.to()))
                : Optional.<Excerpt>empty();
        read(TabNormalizer.inBrackets(text), excerpt, MOST_LOOSE_TABS);
      } catch (YamlProblem e) {
        broken(e, Value.Mapping.EMPTY);
      }
    }
  }

  private void read(SectionText section, Optional<Excerpt> excerpt, int looseTabs) {
    var sound = new ArrayList<YamlDocument.Sound>();
    var reader = new DocumentReader(section, names, locationDetail, limit.nodes());
    try {
      while (reader.hasNext()) {
        sound.add(reader.next(count + sound.size() + 1));
      }
      deliver(sound.size() == 1 ? List.of(sound.getFirst().with(excerpt)) : sound);
    } catch (YamlProblem e) {
      var loosened = loosened(section, e);
      if (looseTabs > 0 && loosened.isPresent()) {
        read(loosened.get(), excerpt, looseTabs - 1);
        return;
      }
      deliver(sound);
      broken(e, reader.readSoFar());
    }
  }

  private static Optional<SectionText> loosened(SectionText section, YamlProblem problem) {
    var blank = problem.blank();
    return blank.isPresent() ? TabNormalizer.loosened(section, blank.getAsInt()) : Optional.empty();
  }

  private void deliver(List<YamlDocument.Sound> sound) {
    count += sound.size();
    sound.forEach(documents);
  }

  private void broken(YamlProblem problem, Value.Mapping readSoFar) {
    count++;
    documents.accept(new YamlDocument.Broken(count, problem.places(), problem.reason(), readSoFar));
  }

  private void requireRoom(Section section) throws YamlProblem {
    var bytes = section.to() - section.from();
    if (bytes > limit.bytes()) {
      throw new YamlProblem(
          "a document of "
              + bytes
              + " bytes exceeds the limit of "
              + limit.bytes()
              + "; split it or increase the heap (POLICY_SYNC_JAVA_OPTIONS=-Xmx…, chart:"
              + " javaOptions)",
          new Location(section.firstLine(), 1));
    }
  }

  private static SectionText text(byte[] utf8, Section section) throws YamlProblem {
    var length = section.to() - section.from();
    var text = new String(utf8, section.from(), length, UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0) {
      requireUtf8(utf8, section);
    }
    return new SectionText(text, section.firstLine());
  }

  private static void requireUtf8(byte[] utf8, Section section) throws YamlProblem {
    var in = ByteBuffer.wrap(utf8, section.from(), section.to() - section.from());
    try {
      var _ = UTF_8.newDecoder().decode(in);
    } catch (CharacterCodingException e) {
      var before = new String(utf8, section.from(), in.position() - section.from(), UTF_8);
      var location = new SectionText(before, section.firstLine()).placeAfter(before.length());
      throw new YamlProblem("invalid UTF-8", location);
    }
  }

  private static byte[] utf8(byte[] bytes) throws CharacterCodingException {
    if (startsWith(bytes, 0xEF, 0xBB, 0xBF)) {
      return Arrays.copyOfRange(bytes, 3, bytes.length);
    }
    if (startsWith(bytes, 0xFF, 0xFE)) {
      return fromUtf16(bytes, UTF_16LE);
    }
    return startsWith(bytes, 0xFE, 0xFF) ? fromUtf16(bytes, UTF_16BE) : bytes;
  }

  private static byte[] fromUtf16(byte[] bytes, Charset charset) throws CharacterCodingException {
    var text = charset.newDecoder().decode(ByteBuffer.wrap(bytes, 2, bytes.length - 2));
    return text.toString().getBytes(UTF_8);
  }

  private static boolean startsWith(byte[] bytes, int... mark) {
    for (int i = 0; i < mark.length; i++) {
      if (bytes.length <= i || (bytes[i] & 0xFF) != mark[i]) {
        return false;
      }
    }
    return true;
  }
}
