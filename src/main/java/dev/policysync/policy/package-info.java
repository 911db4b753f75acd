/// What a policy is and how it is read from bytes; start at [dev.policysync.policy.Policy] and
/// [dev.policysync.policy.feed.PolicyReader].
@NullMarked
package dev.policysync.policy;

import org.jspecify.annotations.NullMarked;
