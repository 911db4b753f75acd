/// `validate.podSecurity` as CEL, control by control, as the copy of pod-security-admission judges
/// that is part of Kyverno 1.19. Start at [dev.policysync.convert.podsecurity.PodSecurityStandard].
@NullMarked
package dev.policysync.convert.podsecurity;

import org.jspecify.annotations.NullMarked;
