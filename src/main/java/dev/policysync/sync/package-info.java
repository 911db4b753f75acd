/// A plan carried out and summed up: reading, writing under the Lease, telling the remote API;
/// start at [dev.policysync.sync.Synchronizer].
@NullMarked
package dev.policysync.sync;

import org.jspecify.annotations.NullMarked;
