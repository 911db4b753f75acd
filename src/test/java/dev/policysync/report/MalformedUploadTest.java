package dev.policysync.report;

import static dev.policysync.report.ReportSamples.policy;
import static dev.policysync.report.ReportSamples.results;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whatever producers write into reports, the upload is JSON that a strict reader takes and that
/// keeps to the form of the API.
class MalformedUploadTest {
  private static final UploadContent EVERYTHING =
      new UploadContent(EnumSet.of(ReportResult.FAIL, ReportResult.WARN), UploadContent.Titles.ALL);

  private static final ObjectMapper STRICT =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /// What the result of the case is sent with, beside policy, result, title and description; `-` is
  /// nothing.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'source':''                                | 'source':'kyverno'",
        "'source':null                              | 'source':'kyverno'",
        "'source':7                                 | 'source':'kyverno'",
        "'policyTitle':'Mine'                       | 'source':'kyverno'",
        "'policyTitle':['a'],'policyDescription':1  | 'source':'kyverno'",
        "'result':'FAIL'                            | 'source':'kyverno'",
        "'result':' Fail '                          | 'source':'kyverno'",
        "'rule':{}                                  | 'source':'kyverno'",
        "'rule':'r','message':['m']                 | 'source':'kyverno','rule':'r'",
        "'description':'m'                          | 'source':'kyverno','message':'m'",
        "'severity':'HIGH'                          | 'source':'kyverno','severity':'high'",
        "'severity':'Info'                          | 'source':'kyverno','severity':'info'",
        "'severity':'urgent'                        | 'source':'kyverno'",
        "'severity':3                               | 'source':'kyverno'",
        "'category':['a']                           | 'source':'kyverno'",
        "'scored':'true'                            | 'source':'kyverno'",
        "'scored':false                             | 'source':'kyverno','scored':false",
        "'properties':[1]                           | 'source':'kyverno'",
        "'properties':{'a':1,'b':true,'c':{},'d':'e'} | 'source':'kyverno','properties':{'a':'1','b':'true','d':'e'}",
        "'resources':'none'                         | 'source':'kyverno'",
        "'resources':[7,{'kind':'Pod','name':'a','uid':{}}] | 'source':'kyverno','resources':[{'kind':'Pod','name':'a'}]",
        "'resourceSelector':'app=a'                 | 'source':'kyverno'",
        "'timestamp':'1970-01-01T00:00:05Z'         | 'source':'kyverno','timestamp':{'seconds':5,'nanos':0}",
        "'timestamp':{'seconds':5,'nanos':7}        | 'source':'kyverno','timestamp':{'seconds':5,'nanos':7}",
        "'timestamp':{'seconds':'many'}             | 'source':'kyverno'",
        "'timestamp':[]                             | 'source':'kyverno'",
        "'unknown':{'a':[1,2,3]}                    | 'source':'kyverno'",
      })
  void sendsEachMemberOnceAndOfItsType(String members, String sent) throws Exception {
    var upload = upload(report("'policy':'p','result':'fail'," + members));

    var result = results(Documents.json(upload), "policyReports").getFirst();
    assertThat(
            result
                .without("policy")
                .without("result")
                .without("policyTitle")
                .without("policyDescription"))
        .isEqualTo(Documents.json("{" + quoted(sent) + "}"));
    assertThat(result.text("policyTitle")).contains("Title");
    assertThat(result.text("result")).contains("fail");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'scope':'Pod'",
        "'scope':{'kind':'Pod','name':7}",
        "'scopeSelector':[]",
        "'summary':'none'",
        "'summary':{'fail':'1','pass':2,'warn':-1}",
        "'source':['kyverno']",
        "'metadata':{'name':'x','namespace':'shop','labels':[],'annotations':{'a':1}}",
      })
  void sendsAReportWithAMemberOfAWrongType(String member) throws Exception {
    var text =
        quoted(
            "{'metadata':{'name':'x','namespace':'shop'},"
                + member
                + ",'results':[{'policy':'p','result':'fail'}]}");

    assertThat(results(Documents.json(upload(text)), "policyReports")).hasSize(1);
  }

  @Test
  void sendsAResultOfAPolicyThatTheReportNamesTheSourceOf() throws Exception {
    var text =
        quoted(
            "{'apiVersion':'openreports.io/v1alpha1','kind':'Report','source':'ValidatingAdmissionPolicy',"
                + "'metadata':{'name':'x','namespace':'shop'},"
                + "'results':[{'policy':'p','result':'pass'},{'policy':'p','result':'fail'}]}");

    var upload = Documents.json(upload(ReportKind.REPORT, text));

    assertThat(results(upload, "validatingAdmissionPolicyReports")).hasSize(1);
    assertThat(results(upload, "policyReports"))
        .extracting(result -> result.text("source").orElse(""))
        .containsExactly("ValidatingAdmissionPolicy");
  }

  @Test
  void theStrictReaderRefusesAKeyThatStandsTwice() {
    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> STRICT.readTree("{\"source\":\"\",\"source\":\"kyverno\"}")))
        .hasMessageContaining("Duplicate");
  }

  private static String report(String members) {
    // The last member of a name counts, as it does to the API server.
    return quoted(
        "{'source':'kyverno','metadata':{'name':'x','namespace':'shop'},'results':[{"
            + members
            + "}]}");
  }

  private static String quoted(String text) {
    return text.strip().replace('\'', '"');
  }

  private static String upload(String report) throws Exception {
    return upload(ReportKind.POLICY_REPORT, report);
  }

  private static String upload(ReportKind kind, String report) throws Exception {
    var source =
        new FakeReportSource()
            .with(PolicyKind.CLUSTER_POLICY, policy("p", "title: Title"))
            .with(kind, report);
    try (var collected = ReportSamples.collect(source, EVERYTHING)) {
      var text = ReportSamples.text(collected.upload());
      assertThat(STRICT.readTree(text).isObject()).isTrue();
      assertThat(UploadSchema.problems(text)).isEmpty();
      return text;
    }
  }
}
