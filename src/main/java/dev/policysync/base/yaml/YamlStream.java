package dev.policysync.base.yaml;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.HeapBudget;
import dev.policysync.base.Value;
import dev.policysync.base.yaml.YamlSections.Section;
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
import java.util.regex.Pattern;

/// Reads a stream of YAML documents, each as sigs.k8s.io/yaml 1.6.0 reads it. A document that
/// cannot be read is reported as broken and does not hide any other.
public final class YamlStream {
  private static final int MOST_LOOSE_TABS = 100; // for each, the document is read again

  /// The character that Java decodes invalid bytes to. A document may also contain this character
  /// itself.
  private static final char REPLACEMENT = '\uFFFD';

  private static final Pattern LIST =
      Pattern.compile(
          "(?:^|[{,])[ \\t]*[\"']?kind[\"']?[ \\t]*:[ \\t]*[\"']?\\w*List\\b", Pattern.MULTILINE);

  private static final byte[] UTF_8_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final byte[] UTF_16LE_MARK = {(byte) 0xFF, (byte) 0xFE};
  private static final byte[] UTF_16BE_MARK = {(byte) 0xFE, (byte) 0xFF};

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

  /// Passes each document to `documents`, in the order of the stream, including empty ones. A
  /// document beyond the limit is reported as broken.
  public static void read(byte[] bytes, DocumentLimit limit, Consumer<YamlDocument> documents) {
    new YamlStream(documents, limit, LocationDetail.WITH_CHILDREN).read(bytes);
  }

  /// Reads a stream and records the location of every node and of every field's name.
  public static void readWithLocations(
      byte[] bytes, DocumentLimit limit, Consumer<YamlDocument> documents) {
    new YamlStream(documents, limit, LocationDetail.EVERYTHING).read(bytes);
  }

  private void read(byte[] bytes) {
    if (isPlain(bytes)) {
      YamlSections.of(bytes, section -> read(section, true));
      return;
    }
    try {
      YamlSections.of(utf8(bytes), section -> read(section, false));
    } catch (CharacterCodingException e) {
      var problem =
          new YamlProblem("not valid UTF-16, although the byte order mark says so", Location.START);
      reportBroken(problem, Value.Mapping.EMPTY);
    }
  }

  /// @param asItCame whether the section has the original bytes of the stream, not converted ones
  private void read(Section section, boolean asItCame) {
    try {
      requireRoom(section);
      var text = text(section);
      Directives.check(text);
      var excerpt =
          asItCame && !Directives.any(text)
              ? Optional.of(new Excerpt(section.from(), section.from() + section.length()))
              : Optional.<Excerpt>empty();
      read(TabNormalizer.replaceLeadingTabs(text), excerpt, MOST_LOOSE_TABS);
    } catch (YamlProblem e) {
      reportBroken(e, Value.Mapping.EMPTY);
    }
  }

  private void read(SectionText section, Optional<Excerpt> excerpt, int looseTabs) {
    var sound = new ArrayList<YamlDocument.WellFormed>();
    var reader = new DocumentReader(section, names, locationDetail, limit.nodes());
    try {
      while (reader.hasNext()) {
        sound.add(reader.next(count + sound.size() + 1));
      }
      deliver(sound.size() == 1 ? List.of(sound.getFirst().with(excerpt)) : sound);
    } catch (YamlProblem e) {
      var loosened = withTabsReplaced(section, e);
      if (looseTabs > 0 && loosened.isPresent()) {
        read(loosened.get(), excerpt, looseTabs - 1);
        return;
      }
      deliver(sound);
      reportBroken(e, reader.readSoFar());
    }
  }

  private static Optional<SectionText> withTabsReplaced(SectionText section, YamlProblem problem) {
    var blank = problem.blank();
    return blank.isPresent()
        ? TabNormalizer.replaceTabsAround(section, blank.getAsInt())
        : Optional.empty();
  }

  private void deliver(List<YamlDocument.WellFormed> sound) {
    count += sound.size();
    sound.forEach(documents);
  }

  private void reportBroken(YamlProblem problem, Value.Mapping readSoFar) {
    count++;
    documents.accept(new YamlDocument.Broken(count, problem.places(), problem.reason(), readSoFar));
  }

  private void requireRoom(Section section) throws YamlProblem {
    if (section.length() > limit.bytes()) {
      throw new YamlProblem(
          "a document of "
              + section.length()
              + " bytes exceeds the limit of "
              + limit.bytes()
              + "; split it or increase the heap (POLICY_SYNC_JAVA_OPTIONS=-Xmx…, chart:"
              + " javaOptions)",
          new Location(section.firstLine(), 1));
    }
    if (section.length() > DocumentLimit.OBJECT && !isList(section)) {
      throw new YamlProblem(
          "a document of "
              + HeapBudget.size(section.length())
              + " is larger than a policy can be: documents over "
              + HeapBudget.size(DocumentLimit.OBJECT)
              + " are not read, and etcd stores at most 1.5 MiB by default; split its rules into"
              + " several policies",
          new Location(section.firstLine(), 1));
    }
  }

  /// Returns whether the section may be a list of objects, each of which may be small enough to be
  /// stored.
  private static boolean isList(Section section) {
    return LIST.matcher(new String(section.bytes(), section.from(), section.length(), UTF_8))
        .find();
  }

  private static SectionText text(Section section) throws YamlProblem {
    var text = new String(section.bytes(), section.from(), section.length(), UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0) {
      requireUtf8(section);
    }
    return new SectionText(text, section.firstLine());
  }

  private static void requireUtf8(Section section) throws YamlProblem {
    var in = ByteBuffer.wrap(section.bytes(), section.from(), section.length());
    try {
      var _ = UTF_8.newDecoder().decode(in);
    } catch (CharacterCodingException e) {
      var length = in.position() - section.from();
      var before = new String(section.bytes(), section.from(), length, UTF_8);
      var location = new SectionText(before, section.firstLine()).placeAfter(before.length());
      throw new YamlProblem("invalid UTF-8", location);
    }
  }

  /// Returns whether a stream that starts with these bytes is UTF-8 without a byte order mark.
  private static boolean isPlain(byte[] start) {
    return !startsWith(start, UTF_8_MARK)
        && !startsWith(start, UTF_16LE_MARK)
        && !startsWith(start, UTF_16BE_MARK);
  }

  private static byte[] utf8(byte[] marked) throws CharacterCodingException {
    if (startsWith(marked, UTF_8_MARK)) {
      return Arrays.copyOfRange(marked, UTF_8_MARK.length, marked.length);
    }
    return fromUtf16(marked, startsWith(marked, UTF_16LE_MARK) ? UTF_16LE : UTF_16BE);
  }

  private static byte[] fromUtf16(byte[] bytes, Charset charset) throws CharacterCodingException {
    var text = charset.newDecoder().decode(ByteBuffer.wrap(bytes, 2, bytes.length - 2));
    return text.toString().getBytes(UTF_8);
  }

  private static boolean startsWith(byte[] bytes, byte[] mark) {
    return bytes.length >= mark.length
        && Arrays.equals(bytes, 0, mark.length, mark, 0, mark.length);
  }
}
