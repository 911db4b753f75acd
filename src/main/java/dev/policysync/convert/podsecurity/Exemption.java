package dev.policysync.convert.podsecurity;

import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.GlobTest;
import java.util.ArrayList;
import java.util.List;

/// The exemptions from one control that the exclusions of a rule give.
///
/// @param pod whether one exclusion has no images, so that it exempts the Pod itself
/// @param images the images of all other exclusions, whose containers are exempt
record Exemption(boolean pod, List<String> images) {
  static final Exemption NONE = new Exemption(false, List.of());

  Exemption {
    images = List.copyOf(images);
  }

  Exemption withPod() {
    return new Exemption(true, images);
  }

  Exemption with(List<String> more) {
    var both = new ArrayList<>(images);
    both.addAll(more);
    return new Exemption(pod, both);
  }

  /// Returns whether the control is excluded altogether.
  boolean isWhole() {
    return pod && ofContainer("c").equals(Cel.TRUE);
  }

  /// Tests whether a container is exempt. A container without an image has an empty one, which only
  /// `*` matches.
  Cel ofContainer(String container) {
    var matches = GlobTest.matchesAny(container + ".image", images);
    return matches.equals(Cel.TRUE) || matches.equals(Cel.FALSE)
        ? matches
        : Fields.isSet(container, "image").and(matches);
  }
}
