package dev.policysync.report.upload;

import dev.policysync.report.spill.SpillFile;

/// The lists of the upload's body, as the API names them.
public record UploadLists(
    UploadItems policyReports,
    UploadItems clusterPolicyReports,
    UploadItems validatingAdmissionPolicyReports,
    UploadItems validatingAdmissionPolicies,
    UploadItems clusterPolicies) {
  public static UploadLists in(SpillFile spillFile) {
    return new UploadLists(
        new UploadItems(spillFile),
        new UploadItems(spillFile),
        new UploadItems(spillFile),
        new UploadItems(spillFile),
        new UploadItems(spillFile));
  }

  public void end() {
    policyReports.end();
    clusterPolicyReports.end();
    validatingAdmissionPolicyReports.end();
    validatingAdmissionPolicies.end();
    clusterPolicies.end();
  }
}
