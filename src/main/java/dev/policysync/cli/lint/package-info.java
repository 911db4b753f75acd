/// `lint`: findings as text, JSON and SARIF.
@NullMarked
package dev.policysync.cli.lint;

import org.jspecify.annotations.NullMarked;
