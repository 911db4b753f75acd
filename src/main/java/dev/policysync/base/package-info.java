/// Values and text that every area uses: JSON ([Value], [Json]), printable text ([Printable]),
/// threads ([Parallel]), secrets ([Secret]).
@NullMarked
package dev.policysync.base;

import org.jspecify.annotations.NullMarked;
