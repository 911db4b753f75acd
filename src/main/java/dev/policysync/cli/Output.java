package dev.policysync.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Printable;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;

/// stdout or stderr as commands write to it. Nothing reaches it that is not [Printable]; no command
/// has the stream itself.
public final class Output {
  private static final String ERASE_LINE = "\r\u001b[K";

  private final PrintStream stream;

  public Output(PrintStream stream) {
    this.stream = stream;
  }

  /// An output that is ready to be written without further memory.
  public static final class Prepared {
    private final byte[] bytes;

    private Prepared(String printable) {
      this.bytes = printable.getBytes(UTF_8);
    }
  }

  /// That text, prepared.
  public static Prepared prepare(TerminalText text) {
    return new Prepared(text.toString());
  }

  /// That document, prepared; see [#document].
  public static Prepared prepare(String document) {
    return new Prepared(Printable.lines(document));
  }

  public void print(Prepared prepared) {
    stream.write(prepared.bytes, 0, prepared.bytes.length);
  }

  public void print(TerminalText text) {
    print(prepare(text));
  }

  /// Prints one line.
  public void println(String line) {
    print(new TerminalText().line(line));
  }

  /// Prints a document of several lines, in a format that keeps the texts of others from breaking
  /// them (JSON, YAML), or of our own words alone.
  public void document(String document) {
    print(prepare(document));
  }

  /// A writer of such a document.
  public Writer documentWriter() {
    return Printable.lines(new OutputStreamWriter(stream, UTF_8));
  }

  /// Writes over the last line of a terminal.
  public void rewrite(String line) {
    print(new Prepared(ERASE_LINE + Printable.line(line)));
    stream.flush();
  }

  public void flush() {
    stream.flush();
  }

  /// Whether something could not be written. A print stream tells only here: of a disk that is
  /// full, a reader that is gone.
  public boolean failed() {
    return stream.checkError();
  }
}
