package dev.policysync.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import dev.policysync.settings.LogLevel;
import net.logstash.logback.composite.loggingevent.LogLevelJsonProvider;
import net.logstash.logback.encoder.LogstashEncoder;
import net.logstash.logback.fieldnames.LogstashFieldNames;
import org.slf4j.LoggerFactory;

/// Logging, set up in code: reading a configuration file would cost each start half a second under
/// a small CPU quota.
public final class Logs {
  private Logs() {}

  /// Logs from that level on: one JSON object a line to `json` stdout, or a line for people to
  /// stderr.
  public static void configure(LogLevel level, OutputFormat format) {
    if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
      throw new IllegalStateException("the logging library is not the one that this program ships");
    }
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    root.setLevel(Level.valueOf(level.name()));
    // The libraries' own debug lines may hold headers; ours never do.
    context.getLogger("okhttp3").setLevel(Level.WARN);
    context.getLogger("io.kubernetes").setLevel(Level.WARN);
    var appender = new ConsoleAppender<ILoggingEvent>();
    appender.setContext(context);
    appender.setTarget(format == OutputFormat.JSON ? "System.out" : "System.err");
    appender.setEncoder(format == OutputFormat.JSON ? json(context) : text(context));
    appender.start();
    root.addAppender(appender);
  }

  private static Encoder<ILoggingEvent> json(LoggerContext context) {
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
    encoder.addProvider(new LowerCaseLevel());
    encoder.start();
    return encoder;
  }

  private static Encoder<ILoggingEvent> text(LoggerContext context) {
    var encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setCharset(java.nio.charset.StandardCharsets.UTF_8);
    encoder.setPattern("%d{HH:mm:ss} %-5level %msg %kvp%n");
    encoder.start();
    return encoder;
  }

  /// `"level":"info"`, as the summary has it.
  private static final class LowerCaseLevel extends LogLevelJsonProvider {
    @Override
    public void writeTo(com.fasterxml.jackson.core.JsonGenerator generator, ILoggingEvent event)
        throws java.io.IOException {
      generator.writeStringField(
          "level", event.getLevel().toString().toLowerCase(java.util.Locale.ROOT));
    }
  }
}
