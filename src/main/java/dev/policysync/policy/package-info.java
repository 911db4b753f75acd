/// What a policy is: its kind ([PolicyKind]), its identity ([PolicyId]) and its content ([Policy]).
@NullMarked
package dev.policysync.policy;

import org.jspecify.annotations.NullMarked;
