/// The built agent with a network and servers that fail between its requests; start at
/// [dev.policysync.faults.RandomFaultsIT].
@NullMarked
package dev.policysync.faults;

import org.jspecify.annotations.NullMarked;
