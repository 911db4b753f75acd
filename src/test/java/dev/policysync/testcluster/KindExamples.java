package dev.policysync.testcluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyKind;
import java.io.IOException;
import java.io.UncheckedIOException;

/// A policy of each kind, in `src/test/resources/kinds`.
public final class KindExamples {
  private KindExamples() {}

  /// The example of that kind, in that namespace where the kind has one.
  public static Policy of(PolicyKind kind, String namespace) {
    var manifest = Documents.yaml(resource("/kinds/" + kind.qualified() + ".yaml"));
    var metadata = manifest.mapping("metadata");
    return Documents.policy(
        kind.namespaced()
            ? manifest.with("metadata", metadata.with("namespace", namespace))
            : manifest);
  }

  private static String resource(String name) {
    try (var stream = KindExamples.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("no test resource " + name);
      }
      return new String(stream.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the test resource " + name, e);
    }
  }
}
