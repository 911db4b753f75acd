/// What the API server accepts in admission policies and webhooks. Start with [ResourceRules].
@NullMarked
package dev.policysync.policy.admission;

import org.jspecify.annotations.NullMarked;
