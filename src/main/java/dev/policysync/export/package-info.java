/// A copy of the cluster's policies that can be applied again: start at [Exporter].
@NullMarked
package dev.policysync.export;

import org.jspecify.annotations.NullMarked;
