/// `sync` and `diff`: the summary of a run as text, as JSON and as a termination message.
@NullMarked
package dev.policysync.cli.sync;

import org.jspecify.annotations.NullMarked;
