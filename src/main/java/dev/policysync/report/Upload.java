package dev.policysync.report;

/// The lists of the upload's body, as the API names them.
record Upload(
    UploadItems policyReports,
    UploadItems clusterPolicyReports,
    UploadItems validatingAdmissionPolicyReports,
    UploadItems validatingAdmissionPolicies,
    UploadItems clusterPolicies) {
  static Upload in(Spool spool) {
    return new Upload(
        new UploadItems(spool),
        new UploadItems(spool),
        new UploadItems(spool),
        new UploadItems(spool),
        new UploadItems(spool));
  }

  void end() {
    policyReports.end();
    clusterPolicyReports.end();
    validatingAdmissionPolicyReports.end();
    validatingAdmissionPolicies.end();
    clusterPolicies.end();
  }
}
