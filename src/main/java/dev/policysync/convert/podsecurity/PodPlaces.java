package dev.policysync.convert.podsecurity;

/// The expressions for the Pod that a policy judges.
///
/// @param pod the Pod, or the Pod template: `variables.pod`; null if there is none
/// @param annotations the annotations of the Pod; null if there are none
/// @param containers a list of the containers of all sorts
record PodPlaces(String pod, String annotations, String containers) {
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
