package dev.policysync.dashboard;

import java.util.Map;

/// Grafana's names of colours, as its light theme draws them.
final class Hues {
  /// Those that the dashboard uses. Yellow is darker than Grafana's: white digits are read on it.
  private static final Map<String, String> BY_NAME =
      Map.ofEntries(
          Map.entry("green", "#56a64b"),
          Map.entry("yellow", "#d69e00"),
          Map.entry("orange", "#ff780a"),
          Map.entry("super-light-red", "#ff7383"),
          Map.entry("red", "#e02f44"),
          Map.entry("dark-red", "#ad0317"),
          Map.entry("super-light-blue", "#8ab8ff"),
          Map.entry("blue", "#3274d9"),
          Map.entry("dark-blue", "#1250b0"));

  private Hues() {}

  /// @param name `dark-red`, or `#8e8e8e` as it is
  static String of(String name) {
    var hue = name.startsWith("#") ? name : BY_NAME.get(name);
    if (hue == null) {
      throw new IllegalArgumentException("cannot draw in the colour " + name);
    }
    return hue;
  }
}
