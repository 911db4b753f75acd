/// Prometheus' Pushgateway. Start at [dev.policysync.pushgateway.Pushgateway].
@NullMarked
package dev.policysync.pushgateway;

import org.jspecify.annotations.NullMarked;
