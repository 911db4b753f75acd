package dev.policysync.remote.http;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/// What our loggers write while it is open, from debug up: `WARN Policy statuses not accepted by
/// the API count=2 reason=…`, with the messages of an exception and its causes at the end.
public final class LogLines implements AutoCloseable {
  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.policysync");
  private final Level before = logger.getLevel();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(line(event));
        }
      };

  private LogLines() {
    appender.setContext(logger.getLoggerContext());
    appender.start();
    logger.setLevel(Level.DEBUG);
    logger.setAdditive(false);
    logger.addAppender(appender);
  }

  public static LogLines capture() {
    return new LogLines();
  }

  public List<String> all() {
    return List.copyOf(lines);
  }

  private static String line(ILoggingEvent event) {
    var line = new StringBuilder().append(event.getLevel()).append(' ');
    line.append(event.getFormattedMessage());
    var pairs = event.getKeyValuePairs();
    if (pairs != null) {
      pairs.forEach(pair -> line.append(' ').append(pair.key).append('=').append(pair.value));
    }
    for (IThrowableProxy e = event.getThrowableProxy(); e != null; e = e.getCause()) {
      line.append(" | ").append(e.getMessage());
    }
    return line.toString();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setAdditive(true);
    logger.setLevel(before);
  }
}
