package dev.policysync.faults;

import dev.policysync.harness.Feeds;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What a feed asks for: small policies of two kinds, each in one of two forms.
///
/// @param forms by name: `Audit` or `Enforce`. What begins with `v` is a ValidatingPolicy, the rest
///   are ClusterPolicies
record FaultFeed(Map<String, String> forms) {
  /// A policy of somebody else has that name, so it is a conflict.
  static final String TAKEN = "taken";

  private static final int OF_EACH_KIND = 5;

  /// At least one policy, and always the one whose name is taken.
  static FaultFeed any(SplittableRandom random) {
    var forms = new TreeMap<String, String>();
    forms.put(TAKEN, "Audit");
    forms.put("always", form(random));
    for (int i = 0; i < OF_EACH_KIND; i++) {
      for (var kind : new String[] {"c", "v"}) {
        if (random.nextInt(3) > 0) {
          forms.put(kind + i, form(random));
        }
      }
    }
    return new FaultFeed(forms);
  }

  private static String form(SplittableRandom random) {
    return random.nextInt(3) > 0 ? "Audit" : "Enforce";
  }

  boolean names(String name) {
    return forms.containsKey(name);
  }

  String yaml() {
    return forms.entrySet().stream()
        .map(entry -> document(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining("---\n"));
  }

  private static String document(String name, String form) {
    return name.startsWith("v")
        ? Feeds.validatingPolicy(name)
            .replace("[Audit]", form.equals("Audit") ? "[Audit]" : "[Deny]")
        : Feeds.clusterPolicy(name, form);
  }
}
