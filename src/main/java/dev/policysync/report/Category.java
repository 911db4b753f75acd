package dev.policysync.report;

import java.util.Locale;

/// The remote API's three categories of action items. Policies name their category freely, `Pod
/// Security Standards (Restricted)`; whatever is not one of the three is Security, as the API
/// documents.
public enum Category {
  EFFICIENCY("Efficiency"),
  RELIABILITY("Reliability"),
  SECURITY("Security");

  private final String text;

  Category(String text) {
    this.text = text;
  }

  /// The category that the text of an annotation or a result stands for, in any case.
  public static Category of(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "efficiency" -> EFFICIENCY;
      case "reliability" -> RELIABILITY;
      default -> SECURITY;
    };
  }

  /// As the API spells it: `Efficiency`.
  @Override
  public String toString() {
    return text;
  }
}
