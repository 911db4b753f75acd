/// The program: [Main] and a wiring for each command. The only area that joins remote adapters to
/// commands; start at [Launcher].
@NullMarked
package dev.policysync.app;

import org.jspecify.annotations.NullMarked;
