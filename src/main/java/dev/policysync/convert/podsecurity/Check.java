package dev.policysync.convert.podsecurity;

import dev.policysync.convert.expression.Cel;
import java.util.function.BiFunction;
import java.util.function.Function;

/// What one check of a control asks of a Pod.
sealed interface Check permits Check.Plain, RunAsNonRoot, RestrictedSeccomp {
  Control control();

  /// What it asks for, for people.
  String asks();

  /// Whether a Pod is so.
  Cel holds(PodPlaces pod, Exemption exempt);

  /// Whether a Pod says that it is for Windows, where some controls mean nothing.
  static Cel isForWindows(PodPlaces pod) {
    return Cel.comparison(Fields.value(pod.pod(), "spec.os.name") + " == \"windows\"");
  }

  /// One that judges the Pod and each container by itself, so that each can be exempt by itself.
  ///
  /// @param ofPod what the Pod has to be like
  /// @param ofContainer what each container has to be like, by its name in the expression
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

    /// The same of the Pod's security context and of the containers'.
    ///
    /// @param test of what holds such a context, and of the path to it
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
