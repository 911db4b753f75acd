/// From bytes to [ExpectedPolicies]: [PolicyReader], what a manifest must be
/// ([ManifestValidation]), size limits, files as a source; the port [PolicySource].
@NullMarked
package dev.policysync.policy.feed;

import org.jspecify.annotations.NullMarked;
