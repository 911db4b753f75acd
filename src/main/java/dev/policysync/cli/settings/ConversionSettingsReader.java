package dev.policysync.cli.settings;

import dev.policysync.convert.ConvertMode;
import java.time.Duration;
import java.util.Locale;

record ConversionSettingsReader(RawSettings rawSettings) {
  /// The default rehearsal: Kyverno scans every resource once an hour by default.
  private static final Duration A_SCAN = Duration.ofHours(1);

  private static final Duration LONGEST = Duration.ofDays(7);

  ConversionSettings read() {
    return new ConversionSettings(
        rawSettings.value(
            Setting.CONVERT,
            ConversionSettingsReader::mode,
            ConvertMode.OFF,
            "off, preview or apply"),
        rawSettings.value(
            Setting.CONVERT_REHEARSAL,
            ConversionSettingsReader::rehearsal,
            A_SCAN,
            "a duration up to 168h, e.g. 1h or 24h"));
  }

  private static ConvertMode mode(String text) {
    return ConvertMode.valueOf(text.toUpperCase(Locale.ROOT));
  }

  private static Duration rehearsal(String text) {
    var time = GoDuration.parse(text);
    if (time.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(text);
    }
    return time;
  }
}
