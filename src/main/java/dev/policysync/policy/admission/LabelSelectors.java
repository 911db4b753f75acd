package dev.policysync.policy.admission;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Validates label selectors.
///
/// Source: Kubernetes 1.36, `ValidateLabelSelector`, `IsQualifiedName`, `IsValidLabelValue`.
public final class LabelSelectors {
  private static final int LONGEST = 63;
  private static final int LONGEST_PREFIX = 253;
  private static final Pattern NAME = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
  private static final Pattern PREFIX =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private LabelSelectors() {}

  /// Returns what the API server rejects in a selector, with paths below the selector.
  public static List<FieldFault> faults(Value.Mapping selector) {
    var faults = new ArrayList<FieldFault>();
    selector
        .mapping("matchLabels")
        .fields()
        .forEach((key, value) -> {
          if (!isQualifiedName(key)) {
            faults.add(FieldFault.at(key, "the label's key is invalid").below("matchLabels"));
          }
          if (value instanceof Value.Text(var text) && !isLabelValue(text)) {
            faults.add(FieldFault.at(key, "the label's value is invalid").below("matchLabels"));
          }
        });
    var requirements = selector.items("matchExpressions");
    for (int i = 0; i < requirements.size(); i++) {
      if (requirements.get(i) instanceof Value.Mapping requirement) {
        var step = "[" + i + "]";
        ofRequirement(requirement)
            .forEach(fault -> faults.add(fault.below("matchExpressions", step)));
      }
    }
    return faults;
  }

  private static List<FieldFault> ofRequirement(Value.Mapping requirement) {
    var faults = new ArrayList<FieldFault>();
    if (!isQualifiedName(requirement.text("key").orElse(""))) {
      faults.add(FieldFault.at("key", "the label's key is invalid"));
    }
    var values = requirement.items("values");
    switch (requirement.text("operator").orElse("")) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          faults.add(FieldFault.at("values", "In and NotIn require values"));
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          faults.add(FieldFault.at("values", "Exists and DoesNotExist have no values"));
        }
      }
      default ->
          faults.add(
              FieldFault.at("operator", "the operator is none of In, NotIn, Exists, DoesNotExist"));
    }
    if (requirement.texts("values").stream().anyMatch(value -> !isLabelValue(value))) {
      faults.add(FieldFault.at("values", "a label's value is invalid"));
    }
    return faults;
  }

  /// Returns whether this is the key of a label: `team`, `example.com/team`.
  public static boolean isQualifiedName(String key) {
    var slash = key.indexOf('/');
    var prefix = key.substring(0, Math.max(0, slash));
    var name = key.substring(slash + 1);
    return (slash < 0 || (prefix.length() <= LONGEST_PREFIX && PREFIX.matcher(prefix).matches()))
        && name.length() <= LONGEST
        && NAME.matcher(name).matches();
  }

  private static boolean isLabelValue(String value) {
    return value.isEmpty() || (value.length() <= LONGEST && NAME.matcher(value).matches());
  }
}
