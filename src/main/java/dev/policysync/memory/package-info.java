/// Much in little memory: [dev.policysync.memory.DeflatedBytes].
@NullMarked
package dev.policysync.memory;

import org.jspecify.annotations.NullMarked;
