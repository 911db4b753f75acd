/// From what is expected and what is there to a plan, and from a plan to outcomes; start at
/// [dev.policysync.sync.Synchronizer].
@NullMarked
package dev.policysync.sync;

import org.jspecify.annotations.NullMarked;
