package dev.policysync.install;

import dev.policysync.base.Value;
import dev.policysync.testcluster.TestCluster;

/// The agent's container, as its CronJob in the cluster says.
record CronJobContainer(Value.Mapping spec) {
  static final String PATH =
      "/apis/batch/v1/namespaces/insights-agent/cronjobs/kyverno-policy-sync";

  static CronJobContainer in(TestCluster cluster) {
    var pod = cluster.admin().get(PATH).ok();
    for (var name : new String[] {"spec", "jobTemplate", "spec", "template", "spec"}) {
      pod = pod.mapping(name);
    }
    return new CronJobContainer(pod.mappings("containers").getFirst());
  }

  String image() {
    return spec.text("image").orElseThrow();
  }

  /// The value of an environment variable.
  String variable(String name) {
    return spec.mappings("env").stream()
        .filter(entry -> entry.text("name").orElse("").equals(name))
        .findFirst()
        .flatMap(entry -> entry.text("value"))
        .orElseThrow();
  }
}
