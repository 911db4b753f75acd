package dev.policysync.statemachine;

import dev.policysync.yaml.CanonicalJson;
import dev.policysync.yaml.Value;
import java.util.Optional;

/// Which exceptions and context entries serve which policies, and that policies never lack theirs
/// because of a run (promise 6).
final class Shields {
  private final Episode episode;
  private final Oracle oracle;

  Shields(Episode episode, Oracle oracle) {
    this.episode = episode;
    this.oracle = oracle;
  }

  void hold() {
    outliveWhatTheyServe();
    comeBeforeWhatTheyServeBlocks();
  }

  /// Whoever's it is: nobody has asked for a policy that stays as it is to block more.
  private void outliveWhatTheyServe() {
    for (var shield : episode.gone()) {
      for (var policy :
          episode.after().where(thing -> staysAsItIs(thing) && serves(shield, thing))) {
        Promises.require(
            false,
            "an exception or a context entry outlives the policies that it serves",
            shield + " is gone, and there is " + policy);
      }
    }
  }

  private boolean staysAsItIs(Thing thing) {
    var key = thing.key();
    var wanted = Optional.ofNullable(episode.feed().expected().get(key));
    return untouched(key)
        && episode.before().get(key).filter(was -> was.spec().equals(thing.spec())).isPresent()
        && wanted.filter(it -> objection(it).isEmpty()).isEmpty();
  }

  private void comeBeforeWhatTheyServeBlocks() {
    if (!episode.live() || !episode.feedIsOne()) {
      return;
    }
    var expected = episode.feed().expected().values();
    for (var shield : expected) {
      if (shield.key().kind().role() == Kind.Role.POLICY
          || !untouched(shield.key())
          || objection(shield).isEmpty()) {
        continue;
      }
      for (var policy : expected) {
        Promises.require(
            !beganToBlock(policy) || !serves(shield, policy),
            "no policy begins to block without its exceptions and context entries",
            policy + " blocks, and " + shield + ": " + objection(shield).orElse(""));
      }
    }
  }

  private boolean beganToBlock(Wanted policy) {
    return untouched(policy.key())
        && policy.blocks()
        && objection(policy).isEmpty()
        && episode.before().get(policy.key()).filter(was -> blocks(was.spec())).isEmpty();
  }

  private boolean untouched(Key key) {
    return !episode.touched().contains(key);
  }

  private Optional<String> objection(Wanted wanted) {
    return wanted.acceptable()
        ? oracle.objection(wanted, episode.after().get(wanted.key()))
        : Optional.of("the API server cannot have taken it");
  }

  private static Value.Mapping spec(Wanted wanted) {
    return wanted.manifest().mapping("spec");
  }

  static boolean serves(Wanted shield, Wanted policy) {
    return serves(shield.key(), spec(shield), policy.key(), spec(policy));
  }

  private static boolean serves(Thing shield, Thing policy) {
    return serves(shield.key(), shield.spec(), policy.key(), policy.spec());
  }

  private static boolean serves(
      Key shield, Value.Mapping says, Key policy, Value.Mapping policySays) {
    return switch (shield.kind()) {
      case CONTEXT ->
          policy.kind().role() == Kind.Role.POLICY
              && CanonicalJson.write(policySays)
                  .contains("\"globalReference\":{\"name\":\"" + shield.name() + "\"");
      case EXCEPTION ->
          switch (policy.kind()) {
            case CLUSTER_POLICY -> names(says, "exceptions", "policyName", policy.name());
            case POLICY ->
                names(says, "exceptions", "policyName", policy.namespace() + "/" + policy.name());
            case CONTEXT,
                EXCEPTION,
                CEL_EXCEPTION,
                CLEANUP_POLICY,
                VALIDATING_POLICY,
                NAMESPACED_VALIDATING_POLICY ->
                false;
          };
      case CEL_EXCEPTION ->
          says.items("policyRefs").stream()
              .map(Value.Mapping.class::cast)
              .anyMatch(reference ->
                  reference.text("name").equals(Optional.of(policy.name()))
                      && reference.text("kind").equals(Optional.of(policy.kind().kind())));
      case CLUSTER_POLICY,
          POLICY,
          CLEANUP_POLICY,
          VALIDATING_POLICY,
          NAMESPACED_VALIDATING_POLICY ->
          false;
    };
  }

  private static boolean names(Value.Mapping spec, String list, String field, String name) {
    return spec.items(list).stream()
        .map(Value.Mapping.class::cast)
        .anyMatch(item -> item.text(field).equals(Optional.of(name)));
  }

  private static boolean blocks(Value.Mapping spec) {
    var text = CanonicalJson.write(spec);
    return text.contains("Enforce") || text.contains("Deny");
  }
}
