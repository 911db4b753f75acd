/// The built program as a process between a real API server and a remote API over HTTP; start at
/// [dev.policysync.endtoend.SyncIT]. [dev.policysync.demo.Demo] tells the same as a story.
@NullMarked
package dev.policysync.endtoend;

import org.jspecify.annotations.NullMarked;
