/// The program: [Main], and a wiring class for each command. Only this area joins remote adapters
/// to commands; start at [Launcher].
@NullMarked
package dev.policysync.app;

import org.jspecify.annotations.NullMarked;
