/// How much the heap holds ([dev.policysync.memory.HeapBudget]), and much in little of it
/// ([dev.policysync.memory.DeflatedBytes]).
@NullMarked
package dev.policysync.memory;

import org.jspecify.annotations.NullMarked;
