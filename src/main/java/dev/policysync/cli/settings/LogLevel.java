package dev.policysync.cli.settings;

/// From which severity on something is logged.
public enum LogLevel {
  DEBUG,
  INFO,
  WARN,
  ERROR
}
