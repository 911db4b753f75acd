/// Commands that only read: `check` ([CheckRunner]), `status` ([SyncStatus]) and `export`
/// ([Exporter]).
@NullMarked
package dev.policysync.inspect;

import org.jspecify.annotations.NullMarked;
