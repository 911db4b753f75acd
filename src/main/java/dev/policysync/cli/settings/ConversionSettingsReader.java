package dev.policysync.cli.settings;

import dev.policysync.convert.ConvertMode;
import java.time.Duration;
import java.util.Locale;

record ConversionSettingsReader(RawSettings rawSettings) {
  private static final Duration LONGEST = Duration.ofDays(7);

  ConversionSettings read() {
    return new ConversionSettings(
        rawSettings.value(Setting.CONVERT, ConversionSettingsReader::mode, "off, preview or apply"),
        rawSettings.value(
            Setting.CONVERT_REHEARSAL,
            ConversionSettingsReader::rehearsal,
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
