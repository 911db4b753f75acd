package dev.policysync.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.status.NopStatusListener;

/// Keeps the logging library from searching for configuration files, and turns logging off until
/// [Logs] sets it up from the settings.
public final class NoopLogConfigurator extends ContextAwareBase implements Configurator {
  @Override
  public ExecutionStatus configure(LoggerContext context) {
    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
    // Without a status listener, logback searches its status messages for some to print, and loads
    // classes for dates and time zones.
    context.getStatusManager().add(new NopStatusListener());
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
