package dev.policysync.report.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;

/// A resource file in this package with placeholders: `<title>{{title}}</title>`.
final class Template {
  private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z-]+)}}");

  private final String text;

  Template(String resource) {
    text = read(resource);
  }

  interface Filling {
    /// Writes the content of the named placeholder.
    void fill(String place) throws IOException;
  }

  void write(HtmlWriter htmlWriter, Filling filling) throws IOException {
    var places = PLACE.matcher(text);
    var end = 0;
    while (places.find()) {
      htmlWriter.raw(text.substring(end, places.start()));
      filling.fill(places.group(1));
      end = places.end();
    }
    htmlWriter.raw(text.substring(end));
  }

  /// Returns the content of a resource file in this package.
  static String read(String resource) {
    try (var stream = Template.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalStateException("resource missing from the build: " + resource);
      }
      return new String(stream.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the resource " + resource, e);
    }
  }
}
