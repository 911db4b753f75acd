/// Text that others wrote, made printable: [Printable].
@NullMarked
package dev.policysync.text;

import org.jspecify.annotations.NullMarked;
