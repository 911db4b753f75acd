package dev.policysync.plan.managedfields;

import static dev.policysync.plan.managedfields.OwnershipFixtures.fields;
import static dev.policysync.plan.managedfields.OwnershipFixtures.ours;
import static dev.policysync.plan.managedfields.OwnershipFixtures.updatedBy;
import static dev.policysync.policy.PolicyFixtures.json;
import static dev.policysync.policy.ServerFields.LAST_APPLIED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldOwnershipTest {
  private static final Value.Mapping MANIFEST =
      json(
          """
          {'apiVersion': 'policies.kyverno.io/v1', 'kind': 'ValidatingPolicy',
           'metadata': {'name': 'team', 'namespace': 'shop', 'labels': {'a/b': 'true'}},
           'spec': {'validationActions': ['Deny'], 'validations': [{'expression': 'true'}],
                    'variables': [{'name': 'x', 'expression': '1'}]}}
          """);
  private static final String APPLIED =
      """
      {'f:metadata': {'f:labels': {'f:a/b': {}}},
       'f:spec': {'f:validationActions': {'v:"Deny"': {}}, 'f:validations': {},
                  'f:variables': {'k:{"name":"x"}': {'.': {}, 'f:name': {}, 'f:expression': {}}}}}
      """;
  private static final ManagedFields STATUS_WRITER =
      new ManagedFields(
          "kyverno",
          "Update",
          "policies.kyverno.io/v1beta1",
          "status",
          fields("{'f:spec': {'f:x': {}}, 'f:status': {'f:conditionStatus': {}}}"));

  @Test
  void coversAndMatchesWhatWasApplied() {
    var ownership = of(ours(APPLIED), STATUS_WRITER);

    assertThat(ownership.applied()).isTrue();
    assertThat(ownership.covers(MANIFEST)).isTrue();
    assertThat(ownership.matches(MANIFEST)).isTrue();
  }

  @Test
  void coversNothingWhereAFieldWasTaken() {
    for (var taken :
        List.of(
            "{'f:metadata': {'f:labels': {'f:a/b': {}}}}",
            "{'f:spec': {'f:validations': {}}}",
            "{'f:spec': {'f:validationActions': {'v:\"Deny\"': {}}}}",
            "{'f:spec': {'f:variables': {'k:{\"name\":\"x\"}': {'f:expression': {}}}}}")) {
      var left = fields(APPLIED).minus(fields(taken));

      assertThat(of(ours(APPLIED).withFields(left)).covers(MANIFEST)).as(taken).isFalse();
    }
  }

  @Test
  void matchesNothingThatHoldsMoreThanTheManifest() {
    // So a take-over looks that was cut short between its two writes.
    for (var more :
        List.of(
            "{'f:spec': {'f:failurePolicy': {}}}",
            "{'f:spec': {'f:validationActions': {'v:\"Audit\"': {}}}}",
            "{'f:spec': {'f:variables': {'k:{\"name\":\"y\"}': {'.': {}, 'f:name': {}}}}}",
            "{'f:metadata': {'f:annotations': {'f:" + LAST_APPLIED + "': {}}}}")) {
      var ownership = of(ours(APPLIED).withFields(fields(APPLIED).union(fields(more))));

      assertThat(ownership.covers(MANIFEST)).as(more).isTrue();
      assertThat(ownership.matches(MANIFEST)).as(more).isFalse();
    }
  }

  @Test
  void matchesNothingThatItDoesNotCover() {
    assertThat(of(ours("{'f:spec': {'f:validations': {}}}")).matches(MANIFEST)).isFalse();
    assertThat(of(STATUS_WRITER).matches(MANIFEST)).isFalse();
  }

  @Test
  void coversNothingWithoutAnEntryOfOurApply() {
    for (var entry :
        List.of(
            updatedBy("kyverno-policy-sync", APPLIED),
            new ManagedFields("flux", "Apply", "v1", "", fields(APPLIED)),
            new ManagedFields("kyverno-policy-sync", "Apply", "v1", "status", fields(APPLIED)))) {
      assertThat(of(entry).covers(MANIFEST)).as(entry.toString()).isFalse();
      assertThat(of(entry).applied()).as(entry.toString()).isFalse();
    }
    assertThat(of().covers(MANIFEST)).isFalse();
  }

  @Test
  void coversNothingByAnEntryWithoutFields() {
    var nothing = of(ours("{}"));

    assertThat(nothing.applied()).isTrue();
    assertThat(nothing.covers(MANIFEST)).isFalse();
  }

  @Test
  void coversNothingByAnEntryThatNamesOnlyItsRoot() {
    var root = of(ours("{'.': {}}"));

    assertThat(root.covers(MANIFEST)).isFalse();
  }

  @Test
  void coversNoLabelByThePathOfAllLabels() {
    for (var metadata : List.of("{'f:labels': {}}", "{'f:labels': {'.': {}}}", "{}")) {
      var entry = ours(APPLIED.replace("{'f:labels': {'f:a/b': {}}}", metadata));

      assertThat(of(entry).covers(MANIFEST)).as(metadata).isFalse();
    }
  }

  @Test
  void namesEveryoneElseWithAFieldOfTheSpecOnce() {
    var ownership =
        of(
            ours(APPLIED),
            updatedBy("kubectl-edit", "{'f:spec': {'f:variables': {'k:{\"name\":\"y\"}': {}}}}"),
            updatedBy("kubectl-edit", "{'f:spec': {'.': {}}}"),
            new ManagedFields("flux", "Apply", "v1", "", fields("{'f:spec': {'f:x': {}}}")),
            updatedBy("kyverno-policy-sync", "{'f:spec': {'f:background': {}}}"));

    assertThat(ownership.intruders())
        .containsExactly("kubectl-edit", "flux", "kyverno-policy-sync");
  }

  @Test
  void leavesStatusWritersAndLabellersAlone() {
    var ownership =
        of(
            ours(APPLIED),
            STATUS_WRITER,
            updatedBy("kubectl-label", "{'f:metadata': {'f:labels': {'f:team': {}}}}"),
            updatedBy("finalizer", "{'f:metadata': {'f:finalizers': {'.': {}, 'v:\"x\"': {}}}}"));

    assertThat(ownership.intruders()).isEmpty();
    assertThat(ownership.takenOver(FieldSet.NONE)).isEmpty();
  }

  @Test
  void takesOverTheSpecAndKubectlsAnnotationAndLeavesTheRest() {
    var ownership =
        of(
            updatedBy(
                "kubectl-client-side-apply",
                """
                {'f:metadata': {'f:annotations': {'.': {}, 'f:kubectl.kubernetes.io/last-applied-configuration': {},
                                                  'f:note': {}},
                                'f:labels': {'.': {}, 'f:a/b': {}}},
                 'f:spec': {'.': {}, 'f:background': {}, 'f:validations': {}}}
                """),
            ours(APPLIED),
            STATUS_WRITER);

    var taken = ownership.takenOver(FieldSet.NONE);

    assertThat(taken)
        .contains(
            of(
                ours(
                    """
                    {'f:metadata': {'f:labels': {'f:a/b': {}},
                                    'f:annotations': {'f:kubectl.kubernetes.io/last-applied-configuration': {}}},
                     'f:spec': {'.': {}, 'f:validationActions': {'v:"Deny"': {}}, 'f:validations': {},
                                'f:variables': {'k:{"name":"x"}': {'.': {}, 'f:name': {}, 'f:expression': {}}},
                                'f:background': {}}}
                    """),
                updatedBy(
                    "kubectl-client-side-apply",
                    """
                    {'f:metadata': {'f:annotations': {'.': {}, 'f:note': {}}}}
                    """),
                STATUS_WRITER));
  }

  @Test
  void endsTheOwnershipOfOthersInOurLabelsAndAnnotations() {
    var ownership =
        of(
            ours("{'f:metadata': {'f:labels': {'f:a/b': {}}, 'f:annotations': {'f:title': {}}}}"),
            new ManagedFields(
                "flux", "Apply", "v1", "", fields("{'f:metadata': {'f:labels': {'f:a/b': {}}}}")),
            updatedBy(
                "kubectl-annotate",
                "{'f:metadata': {'f:annotations': {'.': {}, 'f:title': {}, 'f:note': {}}}}"));

    assertThat(ownership.takenOver(FieldSet.NONE))
        .contains(
            of(
                ours(
                    "{'f:metadata': {'f:labels': {'f:a/b': {}}, 'f:annotations': {'f:title':"
                        + " {}}}}"),
                updatedBy(
                    "kubectl-annotate",
                    "{'f:metadata': {'f:annotations': {'.': {}, 'f:note': {}}}}")));
  }

  @Test
  void leavesTheLabelsAndAnnotationsOfOthersToThem() {
    // The last two only say that there are labels, as an entry does that lost its last one to us.
    for (var theirs :
        List.of(
            "{'f:metadata': {'f:labels': {'.': {}, 'f:team': {}}}}",
            "{'f:metadata': {'f:labels': {'.': {}}}}",
            "{'f:metadata': {'f:labels': {}}}")) {
      var ownership = of(ours(APPLIED), updatedBy("kubectl-label", theirs));

      assertThat(ownership.takenOver(FieldSet.NONE)).as(theirs).isEmpty();
      assertThat(ownership.leavesBehind()).as(theirs).isFalse();
    }
  }

  /// What Kyverno goes by is content, whoever set it; beside our own field of that name another
  /// owner changes nothing.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'f:annotations': {'f:pod-policies.kyverno.io/autogen-controllers': {}}",
        "'f:annotations': {'f:policies.kyverno.io/scored': {}, 'f:note': {}}",
        "'f:labels': {'f:cleanup.kyverno.io/ttl': {}}",
      })
  void seesWhoSetsWhatKyvernoGoesBy(String theirs) {
    var set = "{'f:metadata': {" + theirs + "}}";
    var ownership = of(ours(APPLIED), updatedBy("kubectl-annotate", set));

    assertThat(ownership.intruders()).containsExactly("kubectl-annotate");
    assertThat(ownership.takers(json("{}"))).containsExactly("kubectl-annotate");
    assertThat(ownership.leavesBehind()).isTrue();
    var taken = ownership.takenOver(FieldSet.NONE).orElseThrow();
    assertThat(taken.intruders()).isEmpty();
    assertThat(of(ours(set), updatedBy("kubectl-annotate", set)).intruders()).isEmpty();
  }

  /// Somebody set it and cut the record of that out.
  @Test
  void takesOverWhatNobodyOwnsAgainstTheManifest() {
    var ttl = "'cleanup.kyverno.io/ttl': '1h'";
    var live = json("{'labels': {" + ttl + ", 'team': 'shop'}}");
    var unwanted = FieldOwnership.unwanted(live, json("{'spec': {}}"));

    assertThat(of(ours("{'f:spec': {'f:a': {}}}")).takenOver(unwanted))
        .contains(
            of(
                ours(
                    "{'f:spec': {'f:a': {}}, 'f:metadata': {'f:labels':"
                        + " {'f:cleanup.kyverno.io/ttl': {}}}}")));
    assertThat(FieldOwnership.unwanted(live, json("{'metadata': {'labels': {" + ttl + "}}}")))
        .isEqualTo(FieldSet.NONE);
  }

  @Test
  void leavesBehindOnlyWhatAnApplyCannotRemove() {
    for (var theirs :
        List.of(
            "{'f:spec': {'f:background': {}}}",
            "{'f:metadata': {'f:annotations': {'f:" + LAST_APPLIED + "': {}}}}")) {
      assertThat(of(ours(APPLIED), updatedBy("kubectl", theirs)).leavesBehind())
          .as(theirs)
          .isTrue();
    }
    var label = "{'f:metadata': {'f:labels': {'f:a/b': {}}}}";
    assertThat(of(ours(APPLIED), updatedBy("kubectl", label), STATUS_WRITER).leavesBehind())
        .isFalse();
  }

  @Test
  void namesWhoTookAField() {
    var ownership =
        of(
            ours("{'f:spec': {'f:validations': {}}}"),
            updatedBy("kubectl-label", "{'f:metadata': {'f:labels': {'f:a/b': {}}}}"),
            updatedBy("kubectl-edit", "{'f:spec': {'f:validationActions': {'v:\"Deny\"': {}}}}"),
            new ManagedFields("argo", "Apply", "v1", "", fields("{'f:spec': {'f:x': {}}}")),
            updatedBy("kubectl-edit", "{'f:spec': {'f:variables': {}}}"),
            STATUS_WRITER);

    assertThat(ownership.takers(MANIFEST)).containsExactly("argo", "kubectl-edit", "kubectl-label");
  }

  @Test
  void namesNobodyForALabelOfTheirsOrOneThatIsStillOurs() {
    var ownership =
        of(
            ours(APPLIED),
            updatedBy("owns-it-too", "{'f:metadata': {'f:labels': {'.': {}, 'f:a/b': {}}}}"),
            updatedBy("has-its-own", "{'f:metadata': {'f:labels': {'.': {}, 'f:team': {}}}}"),
            updatedBy("has-none-left", "{'f:metadata': {'f:labels': {}}}"));

    assertThat(ownership.takers(MANIFEST)).isEmpty();
  }

  @Test
  void namesNobodyForAFieldThatIsGone() {
    assertThat(of(ours("{'f:spec': {'f:validations': {}}}"), STATUS_WRITER).takers(MANIFEST))
        .isEmpty();
    assertThat(of().takers(MANIFEST)).isEmpty();
  }

  @Test
  void namesEverybodyWithAFieldWhereNothingIsOurs() {
    var ownership =
        of(
            updatedBy("kubectl-create", "{'f:metadata': {'f:labels': {'.': {}, 'f:a/b': {}}}}"),
            updatedBy("before-first-apply", APPLIED));

    assertThat(ownership.takers(MANIFEST)).containsExactly("before-first-apply", "kubectl-create");
  }

  @Test
  void dropsAnEntryOfWhichNothingIsLeft() {
    var ownership =
        of(ours(APPLIED), updatedBy("kubectl-edit", "{'f:spec': {'f:background': {}}}"));

    assertThat(ownership.takenOver(FieldSet.NONE).orElseThrow().entries())
        .extracting(ManagedFields::manager)
        .containsExactly("kyverno-policy-sync");
  }

  @Test
  void takesOverFromSeveralIncludingAnotherApplier() {
    var ownership =
        of(
            ours("{'f:spec': {'f:a': {}}}"),
            updatedBy("kubectl-edit", "{'f:spec': {'f:b': {}}}"),
            new ManagedFields("flux", "Apply", "v1", "", fields("{'f:spec': {'f:c': {}}}")));

    assertThat(ownership.takenOver(FieldSet.NONE))
        .contains(of(ours("{'f:spec': {'f:a': {}, 'f:b': {}, 'f:c': {}}}")));
  }

  @Test
  void takesOverNothingBeforeItHasAnEntryOfItsOwn() {
    assertThat(of(updatedBy("kubectl-edit", APPLIED)).takenOver(FieldSet.NONE)).isEmpty();
  }

  @Test
  void hasNothingToTakeOverASecondTime() {
    var ownership = of(ours(APPLIED), updatedBy("kubectl-edit", APPLIED), STATUS_WRITER);

    var once = ownership.takenOver(FieldSet.NONE).orElseThrow();

    assertThat(once.takenOver(FieldSet.NONE)).isEmpty();
    assertThat(once.intruders()).isEmpty();
  }

  @Test
  void resetsToOneEntryWithAllOfTheSpecAtThatVersion() {
    var ownership =
        of(
            new ManagedFields(
                "kubectl-client-side-apply",
                "Update",
                "kyverno.io/v2beta1",
                "",
                fields(
                    """
                    {'f:metadata': {'f:annotations': {'f:kubectl.kubernetes.io/last-applied-configuration': {},
                                                      'f:note': {}}},
                     'f:spec': {'f:rules': {}}}
                    """)),
            new ManagedFields(
                "kyverno-policy-sync",
                "Apply",
                "kyverno.io/v2beta1",
                "",
                fields("{'f:spec': {'f:background': {}}}")),
            STATUS_WRITER);

    assertThat(ownership.reset("kyverno.io/v1"))
        .isEqualTo(
            of(
                ours(
                    """
                    {'f:spec': {'f:rules': {}, 'f:background': {}},
                     'f:metadata': {'f:annotations': {'f:kubectl.kubernetes.io/last-applied-configuration': {}}}}
                    """),
                updatedBy(
                    "kubectl-client-side-apply",
                    "{'f:metadata': {'f:annotations': {'f:note': {}}}}"),
                STATUS_WRITER));
  }

  @Test
  void movesOnlyWhatIsOwnedAtAVersionThatIsNotServedAnyMore() {
    var ownership =
        of(
            at("kyverno.io/v2beta1", ours("{'f:spec': {'f:rules': {}}}")),
            at("kyverno.io/v2", updatedBy("kubectl-label", "{'f:metadata': {'f:labels': {}}}")),
            at("kyverno.io/v2beta1", STATUS_WRITER));

    assertThat(ownership.moved(Set.of("kyverno.io/v1", "kyverno.io/v2"), "kyverno.io/v1"))
        .contains(
            of(
                ours("{'f:spec': {'f:rules': {}}}"),
                at("kyverno.io/v2", updatedBy("kubectl-label", "{'f:metadata': {'f:labels': {}}}")),
                at("kyverno.io/v1", STATUS_WRITER)));
  }

  @Test
  void joinsWhatMovesWithWhatTheSameWriterOwnsThere() {
    var ownership =
        of(
            updatedBy("kyverno", "{'f:metadata': {'f:labels': {'f:a': {}}}}"),
            at("kyverno.io/v2", updatedBy("kyverno", "{'f:metadata': {'f:labels': {'f:b': {}}}}")),
            at("kyverno.io/v3", STATUS_WRITER));

    assertThat(ownership.moved(Set.of("kyverno.io/v1"), "kyverno.io/v1"))
        .contains(
            of(
                updatedBy("kyverno", "{'f:metadata': {'f:labels': {'f:a': {}, 'f:b': {}}}}"),
                at("kyverno.io/v1", STATUS_WRITER)));
  }

  @Test
  void movesNothingWhereEveryVersionIsServed() {
    assertThat(
            of(ours(APPLIED), updatedBy("kubectl-edit", APPLIED))
                .moved(Set.of("kyverno.io/v1"), "kyverno.io/v1"))
        .isEmpty();
  }

  private static ManagedFields at(String apiVersion, ManagedFields entry) {
    return new ManagedFields(
        entry.manager(), entry.operation(), apiVersion, entry.subresource(), entry.fields());
  }

  private static FieldOwnership of(ManagedFields... entries) {
    return new FieldOwnership(List.of(entries));
  }
}
