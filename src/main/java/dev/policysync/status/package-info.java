/// What `status` shows: how a cluster stands to its source ([SyncStatus]), without a write; the
/// port [StatusSource].
@NullMarked
package dev.policysync.status;

import org.jspecify.annotations.NullMarked;
