/// Calls of the API server: JSON in and out ([KubeApi]), how they are sent ([KubeCalls]), for how
/// long ([CallTimeouts]) and how often ([CallRetries]), and paged lists.
@NullMarked
package dev.policysync.cluster.request;

import org.jspecify.annotations.NullMarked;
