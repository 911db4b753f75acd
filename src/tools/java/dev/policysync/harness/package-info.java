/// The built program between its two servers, for tests, the demo and the bench: started as a pod
/// would start it ([dev.policysync.harness.Agent], [dev.policysync.harness.Image]), with a stand-in
/// for the remote API.
@NullMarked
package dev.policysync.harness;

import org.jspecify.annotations.NullMarked;
