package dev.policysync.sync.state;

import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.policy.feed.FeedVersion;
import java.util.Optional;

/// On what feed and cluster agreed when the last run that wrote had ended.
///
/// @param feedVersion what the source called that very feed, if it called it anything
public record Agreement(InSyncFingerprint fingerprint, Optional<FeedVersion> feedVersion) {}
