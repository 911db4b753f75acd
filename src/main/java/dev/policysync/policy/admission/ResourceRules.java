package dev.policysync.policy.admission;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Validates the rules by which a webhook or an admission policy selects requests.
///
/// Source: Kubernetes 1.36, `validateRuleWithOperations`, `validateRule`, `validateResources`.
public final class ResourceRules {
  private static final String ANY = "*";
  private static final Set<String> OPERATIONS =
      Set.of(ANY, "CREATE", "UPDATE", "DELETE", "CONNECT");
  private static final Set<String> SCOPES = Set.of(ANY, "Cluster", "Namespaced");

  private ResourceRules() {}

  /// Returns what the API server rejects in a rule, with paths below the rule.
  public static List<FieldFault> faults(Value.Mapping rule) {
    var faults = new ArrayList<FieldFault>();
    addOperations(rule.texts("operations"), faults);
    addGroups("apiGroups", "API group", rule.texts("apiGroups"), faults);
    addGroups("apiVersions", "API version", rule.texts("apiVersions"), faults);
    if (rule.texts("apiVersions").contains("")) {
      faults.add(FieldFault.at("apiVersions", "an API version is empty"));
    }
    addResources(rule.texts("resources"), faults);
    rule.text("scope")
        .filter(scope -> !SCOPES.contains(scope))
        .ifPresent(
            _ -> faults.add(FieldFault.at("scope", "the scope is none of Cluster, Namespaced, *")));
    return faults;
  }

  private static void addOperations(List<String> operations, List<FieldFault> faults) {
    addGroups("operations", "operation", operations, faults);
    for (int i = 0; i < operations.size(); i++) {
      if (!OPERATIONS.contains(operations.get(i))) {
        faults.add(
            FieldFault.at(
                    "[" + i + "]", "the operation is none of CREATE, UPDATE, DELETE, CONNECT, *")
                .below("operations"));
      }
    }
  }

  private static void addGroups(
      String field, String noun, List<String> values, List<FieldFault> faults) {
    if (values.isEmpty()) {
      faults.add(FieldFault.at(field, "no " + noun + " is named"));
    } else if (values.size() > 1 && values.contains(ANY)) {
      faults.add(FieldFault.at(field, "* stands together with another " + noun));
    }
  }

  private static void addResources(List<String> resources, List<FieldFault> faults) {
    if (resources.isEmpty()) {
      faults.add(FieldFault.at("resources", "no resource is named"));
    }
    if (resources.contains("")) {
      faults.add(FieldFault.at("resources", "a resource is empty"));
    }
    Set<String> everySubresourceOf = new HashSet<>();
    Set<String> ofEveryResource = new HashSet<>();
    var covered = false;
    // The API server only looks at the last resource without a subresource.
    var plainIsLast = false;
    for (var resource : resources) {
      var slash = resource.indexOf('/');
      if (slash < 0) {
        plainIsLast = resource.isEmpty() ? plainIsLast : !resource.equals(ANY);
        continue;
      }
      var name = resource.substring(0, slash);
      var subresource = resource.substring(slash + 1);
      covered |= everySubresourceOf.contains(name) || ofEveryResource.contains(subresource);
      if (subresource.equals(ANY)) {
        everySubresourceOf.add(name);
      }
      if (name.equals(ANY)) {
        ofEveryResource.add(subresource);
      }
    }
    if (resources.size() > 1 && resources.contains("*/*")) {
      faults.add(FieldFault.at("resources", "*/* stands together with another resource"));
    } else if (covered) {
      faults.add(FieldFault.at("resources", "a subresource is also covered by another with *"));
    }
    if (resources.contains(ANY) && plainIsLast) {
      faults.add(FieldFault.at("resources", "* stands together with another resource"));
    }
  }
}
