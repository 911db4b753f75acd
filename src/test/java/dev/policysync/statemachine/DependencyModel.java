package dev.policysync.statemachine;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.plan.Adoption;
import java.util.List;
import java.util.Optional;

/// Which exceptions and context entries serve which policies, and that policies never lack theirs
/// because of a run (promise 6).
final class DependencyModel {
  private final Episode episode;
  private final Oracle oracle;

  DependencyModel(Episode episode, Oracle oracle) {
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
          episode
              .after()
              .where(observedObject ->
                  staysAsItIs(observedObject) && serves(shield, observedObject))) {
        RunInvariants.require(
            false,
            "an exception or a context entry outlives the policies that it serves",
            shield + " is gone, and there is " + policy);
      }
    }
  }

  /// What the feed wants gone of that and may go, but for what stays for a successor or for a
  /// policy that no approval would change: its removal is in question no more than that policy's,
  /// so it counts against no budget, no approval is asked for it, and nothing is pending where it
  /// alone is left. A shield whose policy is to be removed or written as well is in question with
  /// it.
  List<ObservedObject> inQuestion(Snapshot snapshot) {
    return snapshot.pending(episode.modelFeed()).stream()
        .filter(observedObject ->
            !staysForWhatItServes(observedObject) && !staysForASuccessor(observedObject))
        .toList();
  }

  /// Whether what is to take its place is not written for want of a shield.
  private boolean staysForASuccessor(ObservedObject observedObject) {
    return episode.after().get(observedObject.objectKey()).isPresent()
        && episode.modelFeed().expected().values().stream()
            .filter(wanted -> wanted.objectKey().isToReplace(observedObject.objectKey()))
            .anyMatch(wanted -> waitsForItsShield(wanted) && objection(wanted).isPresent());
  }

  private boolean staysForWhatItServes(ObservedObject shield) {
    return episode.after().get(shield.objectKey()).isPresent()
        && !episode
            .after()
            .where(observedObject ->
                staysAsItIs(observedObject)
                    && serves(shield, observedObject)
                    && !isToChange(observedObject.objectKey()))
            .isEmpty();
  }

  /// Whether a run removes or writes that policy once everything is approved.
  private boolean isToChange(ObjectKey objectKey) {
    var was = episode.before().get(objectKey);
    return Optional.ofNullable(episode.modelFeed().expected().get(objectKey))
        .map(wanted ->
            was.filter(ObservedObject::terminating).isEmpty()
                && !conflicts(wanted)
                && !waitsForItsShield(wanted))
        .orElseGet(() ->
            was.filter(there -> episode.pending().contains(there) && !staysForASuccessor(there))
                .isPresent());
  }

  /// Whether the name of a policy is taken by an object that is to be left alone.
  boolean conflicts(ModelPolicy modelPolicy) {
    var adoption = episode.conditions().adoption();
    return episode
        .before()
        .get(modelPolicy.objectKey())
        .filter(there ->
            there.paused()
                || switch (there.standing()) {
                  case OURS -> false;
                  case MADE_BY_ANOTHER_OBJECT -> true;
                  case ANOTHER_SOURCES -> adoption != Adoption.ALWAYS;
                  case UNOWNED, COPY ->
                      switch (adoption) {
                        case ALWAYS -> false;
                        case NEVER -> true;
                        case IDENTICAL -> oracle.content(modelPolicy, there).isPresent();
                      };
                })
        .isPresent();
  }

  /// Whether a policy would begin to block without an exception or an entry whose name is taken.
  boolean waitsForItsShield(ModelPolicy modelPolicy) {
    return modelPolicy.blocks()
        && episode.modelFeed().expected().values().stream()
            .anyMatch(shield -> conflicts(shield) && serves(shield, modelPolicy));
  }

  private boolean staysAsItIs(ObservedObject observedObject) {
    var objectKey = observedObject.objectKey();
    var wanted = Optional.ofNullable(episode.modelFeed().expected().get(objectKey));
    return untouched(objectKey)
        && episode
            .before()
            .get(objectKey)
            .filter(was -> was.spec().equals(observedObject.spec()))
            .isPresent()
        && (observedObject.paused() || wanted.filter(it -> objection(it).isEmpty()).isEmpty());
  }

  private void comeBeforeWhatTheyServeBlocks() {
    if (!episode.live() || !episode.feedIsOne()) {
      return;
    }
    var expected = episode.modelFeed().expected().values();
    for (var shield : expected) {
      if (shield.objectKey().modelKind().role() == ModelKind.Role.POLICY
          || !untouched(shield.objectKey())
          || objection(shield).isEmpty()) {
        continue;
      }
      for (var policy : expected) {
        RunInvariants.require(
            !beganToBlock(policy) || !serves(shield, policy),
            "no policy begins to block without its exceptions and context entries",
            policy + " blocks, and " + shield + ": " + objection(shield).orElse(""));
      }
    }
  }

  private boolean beganToBlock(ModelPolicy policy) {
    return untouched(policy.objectKey())
        && policy.blocks()
        && objection(policy).isEmpty()
        && episode.before().get(policy.objectKey()).filter(was -> blocks(was.spec())).isEmpty();
  }

  private boolean untouched(ObjectKey objectKey) {
    return !episode.touched().contains(objectKey);
  }

  private Optional<String> objection(ModelPolicy modelPolicy) {
    return modelPolicy.acceptable()
        ? oracle.objection(modelPolicy, episode.after().get(modelPolicy.objectKey()))
        : Optional.of("the API server cannot have taken it");
  }

  private static Value.Mapping spec(ModelPolicy modelPolicy) {
    return modelPolicy.manifest().mapping("spec");
  }

  static boolean serves(ModelPolicy shield, ModelPolicy policy) {
    return serves(shield.objectKey(), spec(shield), policy.objectKey(), spec(policy));
  }

  private static boolean serves(ObservedObject shield, ObservedObject policy) {
    return serves(shield.objectKey(), shield.spec(), policy.objectKey(), policy.spec());
  }

  private static boolean serves(
      ObjectKey shield, Value.Mapping says, ObjectKey policy, Value.Mapping policySays) {
    return switch (shield.modelKind()) {
      case CONTEXT ->
          policy.modelKind().role() == ModelKind.Role.POLICY
              && CanonicalJson.write(policySays)
                  .contains("\"globalReference\":{\"name\":\"" + shield.name() + "\"");
      case EXCEPTION ->
          switch (policy.modelKind()) {
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
                      && reference.text("kind").equals(Optional.of(policy.modelKind().kind())));
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
