/// Reads feeds: [PolicyReader] turns bytes into [ExpectedPolicies], [ManifestValidation] rejects
/// invalid manifests; also size limits and files as a source. The port is [PolicySource].
@NullMarked
package dev.policysync.policy.feed;

import org.jspecify.annotations.NullMarked;
