/// The agent's entry: `Main` joins adapters to commands; start there.
@NullMarked
package dev.policysync;

import org.jspecify.annotations.NullMarked;
