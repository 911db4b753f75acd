package dev.policysync.convert.podsecurity;

/// Where the expressions of a policy find the Pod that they judge.
///
/// @param pod the Pod, or the template that it is made of: `variables.pod`; null where there is
///   none
/// @param annotations those of the Pod; null where there are none
/// @param containers a list of the containers of all sorts
public record PodPlaces(String pod, String annotations, String containers) {
  static String allContainers(String pod) {
    return listed(pod, "containers") + " + " + otherContainers(pod);
  }

  static String otherContainers(String pod) {
    return listed(pod, "initContainers") + " + " + listed(pod, "ephemeralContainers");
  }

  private static String listed(String pod, String sort) {
    return "(" + Fields.unset(pod, "spec." + sort) + " ? [] : " + pod + ".spec." + sort + ")";
  }
}
