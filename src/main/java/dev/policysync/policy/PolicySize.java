package dev.policysync.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import java.util.Locale;

/// The maximum size of a policy: what etcd accepts in one request by default
/// (`--max-request-bytes`, etcd 3.6), including the managed fields that the API server adds.
public final class PolicySize {
  private static final double MEBIBYTE = 1024 * 1024;
  private static final long LIMIT = 1536 * 1024;

  private PolicySize() {}

  /// Returns the size of a stored policy in bytes, without its managed fields.
  public static long of(Value.Mapping manifest) {
    return CanonicalJson.write(manifest).getBytes(UTF_8).length;
  }

  public static boolean exceedsLimit(long bytes) {
    return bytes > LIMIT;
  }

  /// Returns a message such as `the policy has 1.6 MiB, and etcd stores at most 1.5 MiB by default,
  /// managed fields included`.
  public static String limitExceededMessage(long bytes) {
    return String.format(
        Locale.ROOT,
        "the policy has %.1f MiB, and etcd stores at most %.1f MiB by default, managed fields"
            + " included",
        bytes / MEBIBYTE,
        LIMIT / MEBIBYTE);
  }
}
