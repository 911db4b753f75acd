@NullMarked
package dev.policysync.lint.rules;

import org.jspecify.annotations.NullMarked;
