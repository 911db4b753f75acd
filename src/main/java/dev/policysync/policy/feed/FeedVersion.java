package dev.policysync.policy.feed;

/// By what a source tells one version of its feed from another: the entity tag of RFC 9110, 8.8.3.
///
/// @param url where the feed was asked for; the tag says nothing about any other
/// @param entityTag as it was sent: `"33a64df5"` or `W/"33a64df5"`
public record FeedVersion(String url, String entityTag) {}
