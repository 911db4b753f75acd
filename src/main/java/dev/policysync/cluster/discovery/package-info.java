/// What a cluster serves: kinds, versions, and which Kyverno is deployed.
@NullMarked
package dev.policysync.cluster.discovery;

import org.jspecify.annotations.NullMarked;
