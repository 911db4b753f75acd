package dev.policysync.policy.feed;

import dev.policysync.policy.Digest;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/// A person's approval of everything that one feed requires, in every cluster that gets this
/// setting (`APPROVED_FEED`): removals beyond the budget, and writes that begin to block requests.
/// The approval covers no other feed, and an empty feed only if it is named as such. A feed that
/// cannot be read to the end cannot be approved.
///
/// @param feed the digest of the feed, or [#EMPTY]
/// @param until when the approval expires
public record ApprovedFeed(String feed, Instant until) {
  /// The name of the empty feed, because its digest would be easy to approve by mistake.
  public static final String EMPTY = "empty";

  public ApprovedFeed {
    if (!feed.equals(EMPTY)) {
      var _ = new Digest(feed); // throws IllegalArgumentException
    }
  }

  /// Parses `sha256:2c26…@2026-12-01T00:00Z`.
  ///
  /// @throws IllegalArgumentException if the text is neither of that form nor `empty@…`
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

  /// Returns whether this approval covers a feed now.
  ///
  /// @param empty whether the feed expects no policies
  public boolean covers(Digest digest, boolean empty, Instant now) {
    return now.isBefore(until) && feed.equals(empty ? EMPTY : digest.text());
  }

  @Override
  public String toString() {
    return feed + "@" + until;
  }
}
