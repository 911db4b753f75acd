package dev.policysync.report;

/// Counts of what the findings do not show: reports and results that were merged, left out or
/// repaired. None of them is an error.
///
/// @param staleReports reports left out because the other API group has a newer one for the same
///   resource
/// @param superseded results left out because there is a newer one for the same rule and resource
/// @param ofControllers results of Pods, ReplicaSets and Jobs that were merged into an equal result
///   of their controller
/// @param withoutPolicy results left out because they name no policy
/// @param unknownResults results left out because their `result` is missing or unknown
/// @param unknownSeverities results kept as unrated because their severity is unknown
/// @param malformed results with a field of a wrong type, which was repaired or left out
/// @param cutMessages findings whose message was longer than [ResultMessage#LIMIT]
public record CollectionStatistics(
    long staleReports,
    long superseded,
    long ofControllers,
    long withoutPolicy,
    long unknownResults,
    long unknownSeverities,
    long malformed,
    long cutMessages) {
  public static final CollectionStatistics NONE = new CollectionStatistics(0, 0, 0, 0, 0, 0, 0, 0);
}
