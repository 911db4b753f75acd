/// Who is told what: the API ([PolicyStatusBuilder]), the cluster's events ([PolicyEventBuilder]),
/// the log ([OutcomeLog]), the approver; the ports [StatusSink], [EventSink].
@NullMarked
package dev.policysync.sync.notification;

import org.jspecify.annotations.NullMarked;
