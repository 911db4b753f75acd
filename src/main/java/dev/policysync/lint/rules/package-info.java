/// The hazards that are known, one class each; start at [dev.policysync.lint.rules.Catalogue].
@NullMarked
package dev.policysync.lint.rules;

import org.jspecify.annotations.NullMarked;
