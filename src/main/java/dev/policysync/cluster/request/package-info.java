/// Calls of the API server: JSON in and out ([KubeApi]), time limits, retries and how many at once
/// ([KubeCalls]), paged lists, and what an error response means ([ApiErrorClassifier]).
@NullMarked
package dev.policysync.cluster.request;

import org.jspecify.annotations.NullMarked;
