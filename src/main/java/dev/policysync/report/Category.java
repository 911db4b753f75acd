package dev.policysync.report;

import java.util.Locale;

/// An action item's category in the remote API. Policies name their category freely, e.g. `Pod
/// Security Standards (Restricted)`; any text other than these three counts as Security, as the API
/// documents.
public enum Category {
  EFFICIENCY("Efficiency"),
  RELIABILITY("Reliability"),
  SECURITY("Security");

  private final String text;

  Category(String text) {
    this.text = text;
  }

  /// Parses the category of an annotation or a result, ignoring case.
  public static Category of(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "efficiency" -> EFFICIENCY;
      case "reliability" -> RELIABILITY;
      default -> SECURITY;
    };
  }

  /// Returns the API's spelling: `Efficiency`.
  @Override
  public String toString() {
    return text;
  }
}
