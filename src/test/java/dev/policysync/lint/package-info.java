@NullMarked
package dev.policysync.lint;

import org.jspecify.annotations.NullMarked;
