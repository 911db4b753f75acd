package dev.policysync.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.status.NopStatusListener;

/// Keeps the logging library from looking for configuration files: [Logs] sets it up once the
/// settings are known. Until then nothing is logged.
public final class NoopLogConfigurator extends ContextAwareBase implements Configurator {
  @Override
  public ExecutionStatus configure(LoggerContext context) {
    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
    // Else it is looked through for something to print, with what writes dates and time zones.
    context.getStatusManager().add(new NopStatusListener());
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
