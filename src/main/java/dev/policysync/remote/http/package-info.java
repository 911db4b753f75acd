/// Outgoing HTTP for all adapters: trusted CAs, proxies, retries, and a log line for each exchange;
/// start at [Connections].
@NullMarked
package dev.policysync.remote.http;

import org.jspecify.annotations.NullMarked;
