package dev.policysync.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.base.Printable;
import dev.policysync.cli.settings.LogLevel;
import dev.policysync.sync.RunId;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import net.logstash.logback.composite.AbstractJsonProvider;
import net.logstash.logback.composite.loggingevent.LogLevelJsonProvider;
import net.logstash.logback.encoder.LogstashEncoder;
import net.logstash.logback.fieldnames.LogstashFieldNames;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/// Sets up logging in code, because reading a configuration file would delay each start by half a
/// second under a small CPU quota.
public final class Logs {
  private Logs() {}

  /// Sends log events of this level and above to stdout as JSON, one object per line, if the format
  /// is `json`, otherwise to stderr as one line of text.
  ///
  /// @param run the run whose id each line contains
  public static void configure(LogLevel level, OutputFormat format, RunId run) {
    if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
      throw new IllegalStateException("the logging library on the class path is not logback");
    }
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    root.setLevel(Level.valueOf(level.name()));
    // Debug lines of these libraries may contain headers; ours never do.
    context.getLogger("okhttp3").setLevel(Level.WARN);
    context.getLogger("io.kubernetes").setLevel(Level.WARN);
    var appender = new ConsoleAppender<ILoggingEvent>();
    appender.setContext(context);
    appender.setTarget(format == OutputFormat.JSON ? "System.out" : "System.err");
    // The line that shows the progress is erased first.
    var before = format != OutputFormat.JSON && Terminal.onStderr() ? Output.ERASE_LINE : "";
    appender.setEncoder(
        new MadeOnFirstUse(
            before, () -> format == OutputFormat.JSON ? json(context, run) : text(context)));
    appender.start();
    root.addAppender(appender);
  }

  private static Encoder<ILoggingEvent> json(LoggerContext context, RunId run) {
    var names = new LogstashFieldNames();
    names.setTimestamp("time");
    names.setMessage("msg");
    names.setLogger("logger");
    names.setLevel("[ignore]");
    names.setLevelValue("[ignore]");
    names.setThread("[ignore]");
    names.setVersion("[ignore]");
    var encoder = new LogstashEncoder();
    encoder.setContext(context);
    encoder.setFieldNames(names);
    encoder.setTimeZone("UTC");
    encoder.setFindAndRegisterJacksonModules(false);
    encoder.setIncludeKeyValuePairs(false);
    encoder.addProvider(new KeyValues(run));
    encoder.addProvider(new LowerCaseLevel());
    encoder.start();
    return encoder;
  }

  private static Encoder<ILoggingEvent> text(LoggerContext context) {
    var encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setCharset(UTF_8);
    encoder.setPattern("%d{HH:mm:ss} %-5level %msg %kvp%n");
    encoder.start();
    return encoder;
  }

  /// An encoder that is created for the first event. Most runs log nothing, and the JSON encoder
  /// loads an object mapper.
  private static final class MadeOnFirstUse extends EncoderBase<ILoggingEvent> {
    private final String before;
    private final Supplier<Encoder<ILoggingEvent>> maker;
    private @Nullable Encoder<ILoggingEvent> encoder;

    /// @param before the text before each line
    private MadeOnFirstUse(String before, Supplier<Encoder<ILoggingEvent>> maker) {
      this.before = before;
      this.maker = maker;
    }

    @Override
    public byte[] headerBytes() {
      return new byte[0];
    }

    @Override
    public synchronized byte[] encode(ILoggingEvent event) {
      if (encoder == null) {
        encoder = maker.get();
      }
      return printable(encoder.encode(event));
    }

    /// Escapes line breaks in messages and values, so that each event is one line.
    private byte[] printable(byte[] encoded) {
      var end = System.lineSeparator();
      var line = new String(encoded, UTF_8);
      var text = line.endsWith(end) ? line.substring(0, line.length() - end.length()) : line;
      return (before + Printable.line(text) + end).getBytes(UTF_8);
    }

    @Override
    public byte[] footerBytes() {
      return new byte[0];
    }
  }

  /// Writes an event's key-values as text: `"policy":"ClusterPolicy/team-label"`. The encoder
  /// itself would write every property of every object; a URL has no property that contains its
  /// text.
  private static final class KeyValues extends AbstractJsonProvider<ILoggingEvent> {
    private final RunId run;

    private KeyValues(RunId run) {
      this.run = run;
    }

    @Override
    public void writeTo(JsonGenerator generator, ILoggingEvent event) throws IOException {
      var pairs = event.getKeyValuePairs();
      for (var pair : pairs == null ? List.<KeyValuePair>of() : pairs) {
        switch (pair.value) {
          case Integer number -> generator.writeNumberField(pair.key, number);
          case Long number -> generator.writeNumberField(pair.key, number);
          case null, default -> generator.writeStringField(pair.key, String.valueOf(pair.value));
        }
      }
      generator.writeStringField("run", run.text());
    }
  }

  /// Writes the level in lower case, as in the summary: `"level":"info"`.
  private static final class LowerCaseLevel extends LogLevelJsonProvider {
    @Override
    public void writeTo(JsonGenerator generator, ILoggingEvent event) throws IOException {
      generator.writeStringField("level", event.getLevel().toString().toLowerCase(Locale.ROOT));
    }
  }
}
