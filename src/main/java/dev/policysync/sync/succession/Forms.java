package dev.policysync.sync.succession;

import dev.policysync.base.Value;
import dev.policysync.policy.Policy;
import dev.policysync.policy.Succession;
import dev.policysync.policy.Succession.Stage;
import dev.policysync.sync.analysis.PolicyConversion;
import java.util.List;
import java.util.Optional;

/// Creates the form of a successor that is applied at each stage.
final class Forms {
  private static final Value AUDIT = new Value.Sequence(List.of(new Value.Text("Audit")));

  private Forms() {}

  static Policy of(PolicyConversion.Successor successor, Policy legacy, Stage stage) {
    var manifest = successor.manifest();
    var succession = new Succession(legacy.id(), stage);
    return new Policy(
        successor.id(),
        succession.rehearses() ? auditing(manifest) : manifest,
        legacy.position(),
        Optional.of(succession));
  }

  /// Returns the manifest with Audit as its only action: violations are reported, and nothing is
  /// blocked.
  private static Value.Mapping auditing(Value.Mapping manifest) {
    return manifest.with("spec", manifest.mapping("spec").with("validationActions", AUDIT));
  }
}
