package dev.policysync.report;

/// What was found in reports and does not show in their findings: how often something was folded
/// into something else, left out or read with a grain of salt. None of it is an error.
///
/// @param staleReports reports left out because the other group has a newer one of that resource
/// @param superseded results left out because there is a newer one of the same rule and resource
/// @param ofControllers results of Pods, ReplicaSets and Jobs that say what their controller's says
/// @param withoutPolicy results left out because they name no policy
/// @param unknownResults results left out because their result is missing or none that is known
/// @param unknownSeverities results that were kept as unrated because their severity is unknown
/// @param malformed results with a member of a wrong type, which was repaired or left out
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
  /// Nothing to remark.
  public static final CollectionStatistics NONE = new CollectionStatistics(0, 0, 0, 0, 0, 0, 0, 0);
}
