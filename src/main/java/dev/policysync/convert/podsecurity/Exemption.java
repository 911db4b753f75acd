package dev.policysync.convert.podsecurity;

import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.GlobTest;
import java.util.ArrayList;
import java.util.List;

/// What the exclusions of a rule take from one control.
///
/// @param pod whether one is without images, which is about the Pod itself
/// @param images of the others together: their containers are exempt
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

  /// Whether nothing is left of the control.
  boolean isWhole() {
    return pod && ofContainer("c").equals(Cel.TRUE);
  }

  /// Whether that container is exempt. One without an image has an empty one, which only `*` means.
  Cel ofContainer(String container) {
    var matches = GlobTest.matchesAny(container + ".image", images);
    return matches.equals(Cel.TRUE) || matches.equals(Cel.FALSE)
        ? matches
        : Fields.isSet(container, "image").and(matches);
  }
}
