/// Flags, environment and defaults made into one valid record; start at
/// [dev.policysync.settings.SettingsReader].
@NullMarked
package dev.policysync.settings;

import org.jspecify.annotations.NullMarked;
