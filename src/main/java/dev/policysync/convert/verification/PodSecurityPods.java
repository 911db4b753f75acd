package dev.policysync.convert.verification;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// Makes Pods for a rule with `podSecurity`. Some meet level restricted but for one value of one
/// field, in each sort of containers; others have several containers and differ in several fields,
/// mostly in those of the controls that the rule excludes.
final class PodSecurityPods {
  private static final List<String> SORTS =
      List.of("containers", "initContainers", "ephemeralContainers");

  private final Random random;
  private final List<String> excluded = new ArrayList<>();
  private final List<Value> images = new ArrayList<>();

  PodSecurityPods(Value.Mapping rule, Random random) {
    this.random = random;
    for (var name : List.of("nginx:1", "redis:7", "registry.example/nginx:2", "x")) {
      images.add(new Value.Text(name));
    }
    for (var exclusion : rule.mapping("validate").mapping("podSecurity").mappings("exclude")) {
      excluded.add(exclusion.text("controlName").orElse(""));
      for (var image : exclusion.items("images")) {
        if (image instanceof Value.Text(var glob)) {
          images.add(new Value.Text(glob.replace("*", "x").replace('?', 'y')));
          images.add(new Value.Text(glob.replace("*", "").replace('?', 'y')));
        }
      }
    }
  }

  /// Returns Pods with which each rule is tried: without any restricting field, for Windows and for
  /// Linux, and without containers.
  List<Value> always() {
    var bare = new Value.Sequence(List.of(Value.Mapping.EMPTY.with("name", "c0")));
    var pods = new ArrayList<Value>();
    pods.add(Value.Mapping.EMPTY);
    pods.add(Value.Mapping.EMPTY.with("spec", Value.Null.NULL));
    for (var os : List.of("windows", "linux")) {
      var spec =
          Value.Mapping.EMPTY
              .with("containers", bare)
              .with("os", Value.Mapping.EMPTY.with("name", os));
      pods.add(Value.Mapping.EMPTY.with("spec", spec));
      var context = Value.Mapping.EMPTY.with("runAsNonRoot", new Value.Bool(true));
      pods.add(Value.Mapping.EMPTY.with("spec", spec.with("securityContext", context)));
    }
    return pods;
  }

  /// Returns a Pod that violates a control by its annotations alone.
  Value annotated() {
    var key = "container.apparmor.security.beta.kubernetes.io/c0";
    return put(
        pod(List.of(container(0)), "containers"),
        List.of("metadata", "annotations", key),
        Optional.of(new Value.Text("unconfined")));
  }

  /// Returns one Pod for each value of each field. The values of containers' fields take turns in
  /// the sorts of containers.
  List<Value> single() {
    var pods = new ArrayList<Value>();
    for (var field : PodField.ofPods()) {
      for (var value : field.values()) {
        pods.add(put(pod(List.of(container(0)), "containers"), field.path(), value));
      }
    }
    for (var field : PodField.ofContainers()) {
      for (var value : field.values()) {
        var changed = put(container(1), field.path(), value);
        pods.add(with(SORTS.get(pods.size() % SORTS.size()), changed));
      }
    }
    for (var sort : SORTS) {
      for (Value list : List.of(Value.Null.NULL, new Value.Sequence(List.of()))) {
        pods.add(
            put(
                pod(List.of(container(0)), "containers"),
                List.of("spec", sort),
                Optional.of(list)));
      }
    }
    return pods;
  }

  private Value with(String sort, Value changed) {
    return sort.equals("containers")
        ? pod(List.of(container(0), changed), sort)
        : put(
            pod(List.of(container(0)), "containers"),
            List.of("spec", sort),
            Optional.of(new Value.Sequence(List.of(changed))));
  }

  Value random() {
    var pod = Value.Mapping.EMPTY;
    var number = 0;
    for (var sort : SORTS) {
      var containers = new ArrayList<Value>();
      var most = sort.equals("containers") ? 3 : 2;
      for (int i = random.nextInt(most) + (most - 2); i > 0; i--) {
        containers.add(changed(container(number++), PodField.ofContainers()));
      }
      if (!containers.isEmpty()) {
        pod = pod(containers, sort, pod);
      }
    }
    return changed(pod, PodField.ofPods());
  }

  private Value.Mapping changed(Value.Mapping whole, List<PodField> fields) {
    var changed = whole;
    var ofExcluded = fields.stream().filter(field -> excluded.contains(field.control())).toList();
    for (int i = random.nextInt(5) - 2; i > 0; i--) {
      var among = ofExcluded.isEmpty() || random.nextInt(5) == 0 ? fields : ofExcluded;
      var field = among.get(random.nextInt(among.size()));
      changed =
          put(changed, field.path(), field.values().get(random.nextInt(field.values().size())));
    }
    return changed;
  }

  private Value.Mapping container(int number) {
    var context =
        PodField.parsed("{'allowPrivilegeEscalation':false,'capabilities':{'drop':['ALL']}}");
    var container = Value.Mapping.EMPTY.with("name", "c" + number).with("securityContext", context);
    var image = random.nextInt(images.size() + 1);
    return image < images.size() ? container.with("image", images.get(image)) : container;
  }

  private static Value.Mapping pod(List<Value> containers, String sort) {
    return pod(containers, sort, Value.Mapping.EMPTY);
  }

  private static Value.Mapping pod(List<Value> containers, String sort, Value.Mapping before) {
    var context =
        PodField.parsed("{'runAsNonRoot':true,'seccompProfile':{'type':'RuntimeDefault'}}");
    return before.with(
        "spec",
        before
            .mapping("spec")
            .with("securityContext", context)
            .with(sort, new Value.Sequence(containers)));
  }

  private static Value.Mapping put(Value.Mapping whole, List<String> path, Optional<Value> value) {
    var first = path.getFirst();
    if (path.size() == 1) {
      return value.map(set -> whole.with(first, set)).orElseGet(() -> whole.without(first));
    }
    return whole.with(first, put(whole.mapping(first), path.subList(1, path.size()), value));
  }
}
