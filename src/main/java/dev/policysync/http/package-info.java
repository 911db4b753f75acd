/// Outgoing HTTP as both adapters need it: trust, proxies, a log line per exchange, and a clean
/// end; start at [dev.policysync.http.Connections].
@NullMarked
package dev.policysync.http;

import org.jspecify.annotations.NullMarked;
