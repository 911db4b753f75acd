package dev.policysync.convert.podsecurity;

import dev.policysync.convert.expression.Cel;
import java.util.function.BiFunction;
import java.util.function.Function;

/// A check of a control on a Pod.
sealed interface Check permits Check.Plain, RunAsNonRoot, RestrictedSeccomp {
  Control control();

  String asks();

  Cel holds(PodPlaces pod, Exemption exempt);

  /// Tests whether a Pod declares that it is for Windows, where some controls have no meaning.
  static Cel isForWindows(PodPlaces pod) {
    return Cel.comparison(Fields.value(pod.pod(), "spec.os.name") + " == \"windows\"");
  }

  /// A check that judges the Pod and each container separately, so that each can be exempt by
  /// itself.
  ///
  /// @param ofPod makes a test of the Pod
  /// @param ofContainer makes a test of a container, from its name in the expression
  /// @param exceptWindows whether Pods for Windows pass
  record Plain(
      Control control,
      String asks,
      Function<PodPlaces, Cel> ofPod,
      Function<String, Cel> ofContainer,
      boolean exceptWindows)
      implements Check {
    static Plain ofPod(Control control, String asks, Function<PodPlaces, Cel> test) {
      return new Plain(control, asks, test, _ -> Cel.TRUE, false);
    }

    static Plain ofContainers(Control control, String asks, Function<String, Cel> test) {
      return new Plain(control, asks, _ -> Cel.TRUE, test, false);
    }

    /// Makes a check of the Pod's security context and of the containers'.
    ///
    /// @param test makes a test, from the holder of such a context and the path to it
    static Plain ofBoth(Control control, String asks, BiFunction<String, String, Cel> test) {
      return new Plain(
          control,
          asks,
          pod -> test.apply(pod.pod(), "spec.securityContext"),
          container -> test.apply(container, "securityContext"),
          false);
    }

    Plain exceptWindowsIf(boolean except) {
      return new Plain(control, asks, ofPod, ofContainer, except);
    }

    Plain andOfPod(Function<PodPlaces, Cel> test) {
      return new Plain(
          control, asks, pod -> ofPod.apply(pod).and(test.apply(pod)), ofContainer, exceptWindows);
    }

    @Override
    public Cel holds(PodPlaces pod, Exemption exempt) {
      var itself = exempt.pod() ? Cel.TRUE : ofPod.apply(pod);
      var containers =
          Fields.all(pod.containers(), "c", exempt.ofContainer("c").or(ofContainer.apply("c")));
      var holds = itself.and(containers);
      return exceptWindows && !holds.equals(Cel.TRUE) ? isForWindows(pod).or(holds) : holds;
    }
  }
}
