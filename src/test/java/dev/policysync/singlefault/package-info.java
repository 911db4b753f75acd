/// Every run with exactly one fault: one answer that is old, one foreign change between two
/// requests, one write that is the last or whose answer is lost. Begin with [Scenario],
/// [SingleFault] and [WriteJudge]; [SingleFaultsTest] plays all of them.
@NullMarked
package dev.policysync.singlefault;

import org.jspecify.annotations.NullMarked;
