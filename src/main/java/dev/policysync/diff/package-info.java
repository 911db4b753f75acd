/// What a write changes, field by field and in words ([PolicyDiff]).
@NullMarked
package dev.policysync.diff;

import org.jspecify.annotations.NullMarked;
