package dev.policysync.policy.feed;

import dev.policysync.policy.Digest;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/// A person's consent to all that one feed asks for, in every cluster that gets this setting
/// (`APPROVED_FEED`): removals beyond the budget, and writes that begin to block. Another feed is
/// not meant, nor an empty one unless it is named; what cannot be read to the end nobody can
/// approve.
///
/// @param feed the digest of the feed, or [#EMPTY]
/// @param until from when on it is void
public record ApprovedFeed(String feed, Instant until) {
  /// Names the empty feed, whose digest would be easy to approve by mistake.
  public static final String EMPTY = "empty";

  public ApprovedFeed {
    if (!feed.equals(EMPTY)) {
      var _ = new Digest(feed); // throws IllegalArgumentException
    }
  }

  /// Reads `sha256:2c26…@2026-12-01T00:00Z`.
  ///
  /// @throws IllegalArgumentException if it is neither that nor `empty@…`
  public static ApprovedFeed parse(String text) {
    var end = text.indexOf('@');
    if (end < 0) {
      throw new IllegalArgumentException(text);
    }
    try {
      var until = OffsetDateTime.parse(text.substring(end + 1)).toInstant();
      return new ApprovedFeed(text.substring(0, end), until);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /// Whether that feed is meant now.
  ///
  /// @param empty whether it asks for no policy at all
  public boolean covers(Digest digest, boolean empty, Instant now) {
    return now.isBefore(until) && feed.equals(empty ? EMPTY : digest.text());
  }

  @Override
  public String toString() {
    return feed + "@" + until;
  }
}
