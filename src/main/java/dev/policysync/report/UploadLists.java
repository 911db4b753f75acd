package dev.policysync.report;

import java.util.Set;

/// The lists in the upload's body, named as in the API.
///
/// @param reported the results that `policyReports` and `clusterPolicyReports` contain
record UploadLists(
    UploadItems policyReports,
    UploadItems clusterPolicyReports,
    UploadItems validatingAdmissionPolicyReports,
    UploadItems validatingAdmissionPolicies,
    UploadItems clusterPolicies,
    Set<ReportResult> reported) {
  public UploadLists {
    reported = Set.copyOf(reported);
  }

  public static UploadLists in(SpillFile spillFile, Set<ReportResult> reported) {
    return new UploadLists(
        new UploadItems(spillFile),
        new UploadItems(spillFile),
        new UploadItems(spillFile),
        new UploadItems(spillFile),
        new UploadItems(spillFile),
        reported);
  }

  public void end() {
    policyReports.end();
    clusterPolicyReports.end();
    validatingAdmissionPolicyReports.end();
    validatingAdmissionPolicies.end();
    clusterPolicies.end();
  }
}
