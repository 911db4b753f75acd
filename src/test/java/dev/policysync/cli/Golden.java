package dev.policysync.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Expected texts in files: a change of what people and log queries see shows up as a difference to
/// review. `make golden` writes them anew.
public final class Golden {
  private static final Path FOLDER = Path.of("src", "test", "resources", "cli");

  private Golden() {}

  public static void assertEqual(String file, String actual) {
    assertEqual(FOLDER.resolve(file), actual);
  }

  public static void assertEqual(String file, TerminalText actual) {
    assertEqual(file, actual.toString());
  }

  /// The same with a block of a page: the lines between `<!-- generated: NAME -->` and the next
  /// `<!-- end -->`.
  public static void assertBlockEqual(Path page, String name, String actual) {
    try {
      var text = Files.readString(page);
      var begin = "<!-- generated: " + name + " -->\n";
      assertThat(text).contains(begin);
      var from = text.indexOf(begin) + begin.length();
      var to = text.indexOf("<!-- end -->", from);
      assertEqual(page, text.substring(0, from) + actual + text.substring(to));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + page, e);
    }
  }

  /// The same with a file anywhere.
  public static void assertEqual(Path path, String actual) {
    try {
      if (System.getProperty("policysync.golden", "").equals("write")) {
        Files.writeString(path, actual);
      }
      assertThat(actual).isEqualTo(Files.readString(path));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + path + "; make golden writes it", e);
    }
  }
}
