/// `validate.podSecurity` as CEL, control by control, as Kyverno 1.19's copy of
/// pod-security-admission judges; start at [PodSecurityStandard].
@NullMarked
package dev.policysync.convert.podsecurity;

import org.jspecify.annotations.NullMarked;
