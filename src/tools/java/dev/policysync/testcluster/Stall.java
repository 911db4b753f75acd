package dev.policysync.testcluster;

/// A server that stands still until this is closed.
public interface Stall extends AutoCloseable {
  @Override
  void close();
}
