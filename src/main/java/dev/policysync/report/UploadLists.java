package dev.policysync.report;

/// The lists in the upload's body, named as in the API.
record UploadLists(
    UploadItems policyReports,
    UploadItems clusterPolicyReports,
    UploadItems validatingAdmissionPolicyReports,
    UploadItems validatingAdmissionPolicies,
    UploadItems clusterPolicies,
    UploadContent content) {

  public static UploadLists in(SpillFile spillFile, UploadContent content) {
    return new UploadLists(
        new UploadItems(spillFile),
        new UploadItems(spillFile),
        new UploadItems(spillFile),
        new UploadItems(spillFile),
        new UploadItems(spillFile),
        content);
  }

  public void end() {
    policyReports.end();
    clusterPolicyReports.end();
    validatingAdmissionPolicyReports.end();
    validatingAdmissionPolicies.end();
    clusterPolicies.end();
  }
}
