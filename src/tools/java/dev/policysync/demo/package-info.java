/// The story that `make demo` tells. Start at [dev.policysync.demo.Demo].
@NullMarked
package dev.policysync.demo;

import org.jspecify.annotations.NullMarked;
