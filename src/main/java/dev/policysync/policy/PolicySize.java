package dev.policysync.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import java.util.Locale;

/// How large a policy may be: what etcd takes in one request by default (`--max-request-bytes`,
/// etcd 3.6), the managed fields that the API server adds included.
public final class PolicySize {
  private static final double MEBIBYTE = 1024 * 1024;
  private static final long LIMIT = 1536 * 1024;

  private PolicySize() {}

  /// The size of what is stored of a policy, in bytes, less its managed fields.
  public static long of(Value.Mapping manifest) {
    return CanonicalJson.write(manifest).getBytes(UTF_8).length;
  }

  /// Whether that many bytes are more than etcd takes by default.
  public static boolean exceedsLimit(long bytes) {
    return bytes > LIMIT;
  }

  /// `the policy has 1.6 MiB, and etcd stores at most 1.5 MiB by default, managed fields included`.
  public static String limit(long bytes) {
    return String.format(
        Locale.ROOT,
        "the policy has %.1f MiB, and etcd stores at most %.1f MiB by default, managed fields"
            + " included",
        bytes / MEBIBYTE,
        LIMIT / MEBIBYTE);
  }
}
