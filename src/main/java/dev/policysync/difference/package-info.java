/// What a write changes in a policy, field by field and in words.
@NullMarked
package dev.policysync.difference;

import org.jspecify.annotations.NullMarked;
