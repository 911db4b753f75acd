package dev.policysync.convert;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// The variables of a policy about the Pod of an object, which is the object itself or its Pod
/// template.
///
/// Source: Kyverno 1.19, `getSpec`, which looks at the kind alone. For a CronJob, it reads the
/// Pod's annotations from the Job template.
///
/// @param kinds the kinds of the objects: `Pod`, `CronJob`, other controllers
/// @param object the place of the object
/// @param suffix the ending of the variables' names
record PodVariables(Set<String> kinds, Place object, String suffix) {
  private static final String POD = "Pod";
  private static final String CRON_JOB = "CronJob";

  PodVariables {
    kinds = Set.copyOf(kinds);
  }

  Map<String, String> expressions() {
    var expressions = new LinkedHashMap<String, String>();
    if (!pod().equals(object.text())) {
      expressions.put("pod" + suffix, template());
    }
    expressions.put(
        "annotations" + suffix,
        ofCronJobs(
            PodFields.value(object.text(), "spec.jobTemplate.metadata.annotations"),
            PodFields.value(pod(), "metadata.annotations")));
    expressions.put("containers" + suffix, listed("containers") + " + " + otherContainers());
    return expressions;
  }

  /// Returns an expression for the Pod, or the Pod template; null if there is none.
  String pod() {
    return kinds.equals(Set.of(POD)) ? object.text() : "variables.pod" + suffix;
  }

  /// Returns an expression for the annotations of the Pod; null if there are none.
  String annotations() {
    return "variables.annotations" + suffix;
  }

  /// Returns an expression for a list of the containers of all sorts.
  String containers() {
    return "variables.containers" + suffix;
  }

  String otherContainers() {
    return listed("initContainers") + " + " + listed("ephemeralContainers");
  }

  private String listed(String sort) {
    return "("
        + PodFields.unset(pod(), "spec." + sort)
        + " ? [] : "
        + pod()
        + ".spec."
        + sort
        + ")";
  }

  private String template() {
    var ofPod = kinds.contains(POD) ? isOf(POD) + object + " : " : "";
    var ofJobs = PodFields.value(object.text(), "spec.jobTemplate.spec.template");
    var ofOthers = PodFields.value(object.text(), "spec.template");
    return ofPod + ofCronJobs(ofJobs, ofOthers);
  }

  private String ofCronJobs(String expression, String elsewhere) {
    return kinds.contains(CRON_JOB) ? isOf(CRON_JOB) + expression + " : " + elsewhere : elsewhere;
  }

  private String isOf(String kind) {
    return object.field("kind").is("\"" + kind + "\"") + " ? ";
  }
}
