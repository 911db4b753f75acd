package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The controls that a rule excludes, for Pods or for containers of some images.
///
/// Kyverno removes violations from a list, one for each that it finds in what an exclusion covers,
/// by field and by the container's name. If a control judges the Pod and each container separately,
/// and names are unique, that is the same as skipping them.
///
/// Source: Kyverno 1.19, `ApplyPodSecurityExclusion`, `PodSecurityStandard.Validate` and
/// `ValidatePSaControlNames`.
final class PodExclusions {
  private static final Set<String> FIELDS =
      Set.of("controlName", "images", "restrictedField", "values");

  /// Controls of which an exclusion without images removes more violations than those of the Pod
  /// itself.
  private static final Set<PodControl> COUNTED =
      Set.of(PodControl.RUN_AS_NON_ROOT, PodControl.SECCOMP);

  private final Map<PodControl, Exemption> exemptions = new EnumMap<>(PodControl.class);

  /// The exemptions from one control that the exclusions of a rule give.
  ///
  /// @param pod whether one exclusion has no images, so that it exempts the Pod itself
  /// @param images the images of all other exclusions, whose containers are exempt
  record Exemption(boolean pod, List<String> images) {
    private static final Exemption NONE = new Exemption(false, List.of());

    Exemption {
      images = List.copyOf(images);
    }

    private Exemption with(List<String> more) {
      var both = new ArrayList<>(images);
      both.addAll(more);
      return new Exemption(pod || more.isEmpty(), both);
    }

    /// Returns whether the control is excluded altogether.
    boolean isWhole() {
      return pod && ofContainer("c").equals(Cel.TRUE);
    }

    /// Tests whether a container is exempt. A container without an image has an empty one, which
    /// only `*` matches.
    Cel ofContainer(String container) {
      var matches = GlobTest.matchesAny(container + ".image", images);
      return matches.equals(Cel.TRUE) || matches.equals(Cel.FALSE)
          ? matches
          : PodFields.isSet(container, "image").and(matches);
    }
  }

  private PodExclusions() {}

  /// Reads the exclusions of `validate.podSecurity`.
  ///
  /// @param checks the checks of its level
  static PodExclusions of(Value.Mapping podSecurity, List<PodCheck> checks) {
    var exclusions = new PodExclusions();
    for (var item : podSecurity.items("exclude")) {
      if (!(item instanceof Value.Mapping exclusion)) {
        throw Untranslatable.value(item, "an unknown exclusion", "write a controlName");
      }
      exclusions.add(exclusion, checks);
    }
    for (var item : podSecurity.mappings("exclude")) {
      exclusions.checkCounted(item);
    }
    return exclusions;
  }

  Exemption of(PodControl control) {
    return exemptions.getOrDefault(control, Exemption.NONE);
  }

  private void add(Value.Mapping exclusion, List<PodCheck> checks) {
    Untranslatable.checkFields(
        exclusion, FIELDS, field -> "exclude." + field, "Kyverno has no such field; remove it");
    if (exclusion.text("restrictedField").filter(text -> !text.isEmpty()).isPresent()
        || !exclusion.items("values").isEmpty()) {
      throw Untranslatable.field(
          exclusion,
          "restrictedField",
          "an exclusion with restrictedField and values",
          "exclude the whole control for its images, or write that control in CEL");
    }
    var control = control(exclusion, checks);
    var images = images(exclusion);
    if (images.isEmpty() ? !control.takesPods() : !control.takesImages()) {
      throw Untranslatable.field(
          exclusion,
          "controlName",
          images.isEmpty()
              ? "an exclusion without images from a control of containers"
              : "an exclusion with images from a control of Pods",
          "Kyverno rejects it; " + (images.isEmpty() ? "add" : "remove") + " images");
    }
    var before = of(control);
    if (images.isEmpty() && before.pod() && COUNTED.contains(control)) {
      throw Untranslatable.field(
          exclusion,
          "controlName",
          "an exclusion twice",
          "each takes another violation away; remove one");
    }
    exemptions.put(control, before.with(images));
  }

  /// Refuses exclusions from one control with and without images, unless they cover everything: it
  /// is not certain which violations of containers they remove.
  private void checkCounted(Value.Mapping exclusion) {
    var control = PodControl.of(exclusion.text("controlName").orElse("")).orElseThrow();
    var exempt = of(control);
    if (COUNTED.contains(control)
        && exempt.pod()
        && !exempt.images().isEmpty()
        && !exempt.isWhole()) {
      throw Untranslatable.field(
          exclusion,
          "controlName",
          "exclusions with and without images from " + control.title(),
          "which violation the one without images takes away depends on their order; exclude all"
              + " images (\"*\"), or none");
    }
  }

  private static PodControl control(Value.Mapping exclusion, List<PodCheck> checks) {
    return exclusion
        .text("controlName")
        .flatMap(PodControl::of)
        .filter(control -> checks.stream().anyMatch(check -> check.control() == control))
        .orElseThrow(() ->
            Untranslatable.field(
                exclusion,
                "controlName",
                "an exclusion from a control that the level does not have",
                "Kyverno rejects it; remove it"));
  }

  private static List<String> images(Value.Mapping exclusion) {
    var images = new ArrayList<String>();
    for (var item : exclusion.items("images")) {
      if (!(item instanceof Value.Text(var image)) || image.isEmpty()) {
        throw Untranslatable.value(item, "an image that is no string", "quote it");
      }
      images.add(image);
    }
    return images;
  }
}
