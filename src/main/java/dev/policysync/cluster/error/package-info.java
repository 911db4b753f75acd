/// What a message about the API server may say: no answer ([Unreachable]), missing permissions,
/// texts of a policy redacted.
@NullMarked
package dev.policysync.cluster.error;

import org.jspecify.annotations.NullMarked;
