package dev.policysync.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Printable;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;

/// stdout or stderr for commands. Only [Printable] text reaches the stream, which commands cannot
/// access directly.
public final class Output {
  static final String ERASE_LINE = "\r\u001b[K";

  private final PrintStream stream;

  public Output(PrintStream stream) {
    this.stream = stream;
  }

  /// Returns the output to a file. The caller flushes it and closes the stream.
  public static Output to(OutputStream stream) {
    return new Output(new PrintStream(stream, false, UTF_8));
  }

  /// Output that can be written without further memory.
  public static final class Prepared {
    private final byte[] bytes;

    private Prepared(String printable) {
      this.bytes = printable.getBytes(UTF_8);
    }
  }

  public static Prepared prepare(TerminalText text) {
    return new Prepared(text.toString());
  }

  /// Prepares a document as [#document] prints it.
  public static Prepared prepare(String document) {
    return new Prepared(Printable.lines(document));
  }

  public void print(Prepared prepared) {
    stream.write(prepared.bytes, 0, prepared.bytes.length);
  }

  public void print(TerminalText text) {
    print(prepare(text));
  }

  public void println(String line) {
    print(new TerminalText().line(line));
  }

  /// Prints a document of several lines. It must escape line breaks in texts from elsewhere (JSON,
  /// YAML), or contain only our own texts.
  public void document(String document) {
    print(prepare(document));
  }

  /// Returns a writer for a document as [#document] prints it.
  public Writer documentWriter() {
    return Printable.lines(new OutputStreamWriter(stream, UTF_8));
  }

  /// Overwrites the last line of a terminal.
  public void rewrite(String line) {
    print(new Prepared(ERASE_LINE + Printable.line(line)));
    stream.flush();
  }

  public void flush() {
    stream.flush();
  }

  /// Returns whether a write failed, e.g. because the disk is full or the reader closed the pipe. A
  /// `PrintStream` reports this only here.
  public boolean failed() {
    return stream.checkError();
  }
}
