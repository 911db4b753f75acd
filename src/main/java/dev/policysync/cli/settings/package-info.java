/// Reads flags, environment and defaults into one valid record; start at [SettingsReader].
@NullMarked
package dev.policysync.cli.settings;

import org.jspecify.annotations.NullMarked;
