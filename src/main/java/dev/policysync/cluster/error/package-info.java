/// What came of a request to the API server: its answer ([ApiResponse]), what one that is no
/// success means ([ApiErrorClassifier]), and no answer ([Unreachable]); and what a message about it
/// may say: missing permissions, texts of a policy redacted.
@NullMarked
package dev.policysync.cluster.error;

import org.jspecify.annotations.NullMarked;
