/// Flags, environment and defaults as one valid record; start at [SettingsReader].
@NullMarked
package dev.policysync.cli.settings;

import org.jspecify.annotations.NullMarked;
