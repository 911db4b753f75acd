package dev.policysync.policy.feed;

/// The version that a source gives its feed: the entity tag of RFC 9110, 8.8.3.
///
/// @param url the URL of the feed; the tag is not valid for any other URL
/// @param entityTag the tag as it was sent: `"33a64df5"` or `W/"33a64df5"`
public record FeedVersion(String url, String entityTag) {}
