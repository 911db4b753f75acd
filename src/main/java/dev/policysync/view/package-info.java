/// What policy reports say, written for others than a terminal: a page for browsers, JSON, CSV, and
/// the words that all of them share; start at [dev.policysync.view.FindingsPage].
@NullMarked
package dev.policysync.view;

import org.jspecify.annotations.NullMarked;
