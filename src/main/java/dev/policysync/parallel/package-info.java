/// Work on several threads at once: [Parallel].
@NullMarked
package dev.policysync.parallel;

import org.jspecify.annotations.NullMarked;
