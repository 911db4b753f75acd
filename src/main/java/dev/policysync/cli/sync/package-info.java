/// `sync` and `diff`: the run's summary as text, JSON and termination message.
@NullMarked
package dev.policysync.cli.sync;

import org.jspecify.annotations.NullMarked;
