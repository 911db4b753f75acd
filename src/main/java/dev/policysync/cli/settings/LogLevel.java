package dev.policysync.cli.settings;

/// The lowest severity that is logged.
public enum LogLevel {
  DEBUG,
  INFO,
  WARN,
  ERROR
}
