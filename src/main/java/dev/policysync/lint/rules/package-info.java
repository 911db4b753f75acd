/// The hazards that lint knows, one class each; start at [Catalogue].
@NullMarked
package dev.policysync.lint.rules;

import org.jspecify.annotations.NullMarked;
