@NullMarked
package dev.policysync.lint.schema;

import org.jspecify.annotations.NullMarked;
