/// Policies that the agent made of one of the feed: which they are ([Successors]), and when one
/// form of a policy goes because the other is in force ([OtherForms]).
@NullMarked
package dev.policysync.plan.succession;

import org.jspecify.annotations.NullMarked;
