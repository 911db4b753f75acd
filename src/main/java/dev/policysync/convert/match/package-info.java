/// `match` and `exclude` of a rule as resource rules and CEL. Start at
/// [dev.policysync.convert.match.MatchTranslation].
@NullMarked
package dev.policysync.convert.match;

import org.jspecify.annotations.NullMarked;
