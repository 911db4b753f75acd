package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.lint.expression.Cel;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Reports CEL expressions that use an undeclared function, variable or field of the request.
///
/// Source: what the environments of Kyverno 1.19 declare (`compiler.NewBaseEnv`, the libraries of
/// `github.com/kyverno/sdk`, `imageverify`) with the libraries of Kubernetes 1.36. Types are not
/// checked, because CEL's checker needs protobuf, as large as everything else that lint needs.
final class CelUnknownName implements Rule {
  private static final Set<String> FUNCTIONS =
      words(
          """
          Apply Client Get GetMetadata List Post ToGVR abs add all allowed apply
          asApproximateFloat asInteger bind bitAnd bitNot bitOr bitShiftLeft bitShiftRight bitXor
          bool byte bytes ceil charAt check cidr client compareTo compress contains containsCIDR
          containsDigest containsIP date datetime decode decompress digest distinct dns1035Label
          dns1035LabelPrefix dns1123Label dns1123LabelPrefix dns1123Subdomain
          dns1123SubdomainPrefix double duration dyn encode endsWith equivalent error errored
          escapeKey exists existsOne exists_one extract extractAll extractPayload family
          fieldSelector filter find findAll first flatten floor format get getDate getDayOfMonth
          getDayOfWeek getDayOfYear getEscapedPath getExt getFullYear getHost getHostname getHours
          getImageData getMetadata getMilliseconds getMinutes getMonth getPort getQuery getScheme
          getSeconds greatest group has hasExt hasValue identifier image in indexOf int intersects
          ip isCIDR isCanonical isFinite isGlobalUnicast isGreaterThan isIP isImage isInf
          isInteger isLessThan isLinkLocalMulticast isLinkLocalUnicast isLoopback isNaN isQuantity
          isSemver isSorted isURL isUnspecified join labelSelector labelValue last lastIndexOf
          least list listObjToMap lowerAscii major map marshal masked matches max md5 min minor
          name named namespace none now of ofNonZeroValue optFlatMap optMap or orValue parse
          parseImageReference parseServiceAccount patch path payload post prefixLength
          qualifiedName quantity quote random range reason registry replace repository resource
          reverse round semver serviceAccount sha1 sha256 sign size slice sort sortBy split sqrt
          startsWith string sub subresource substring sum tag timestamp toCron toGVR transformList
          transformMap transformMapEntry trim trunc truncate type uint unmarshal unwrap unwrapOpt
          upperAscii uri url uuid validate value verifyAttestationSignatures verifyImageSignatures
          """);
  private static final Set<String> IDENTIFIERS =
      words(
          """
          JSONPatch Object attestations attestors authorizer base64 bool bytes cel data double dyn
          exceptions format generator globalContext google gzip hash http image images int ip json
          jsonpatch list lists map math namespaceObject null_type object oldObject optional params
          random ref regex request resource sets string strings target time transform type uint
          user variables x509 yaml
          """);

  /// The variables that admission policies have and Kyverno's own policies do not have.
  private static final Set<String> OF_KUBERNETES = Set.of("params");

  /// The fields of an admission request (`admissionregistration`'s `BuildRequestType`).
  private static final Set<String> OF_REQUEST =
      words(
          """
          kind resource subResource requestKind requestResource requestSubResource name namespace
          operation userInfo dryRun options uid object oldObject userInfo.username userInfo.uid
          userInfo.groups userInfo.extra
          """);

  private static final Pattern MESSAGE =
      Pattern.compile("\\.?(Object|JSONPatch|google|kubernetes)(\\..*)?");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS054",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Unknown CEL function or variable",
        """
        An expression calls a function that neither CEL nor Kubernetes nor Kyverno has, or uses a name that is no \
        variable or field of the request, usually a misspelt one: `startWith`, `objct`, `request.opertion`. Kyverno compiles the expressions of its CEL policies \
        when they are created and rejects the policy; the API server does so with admission policies. An expression \
        of a ClusterPolicy's `validate.cel` fails at each request. Names are checked against Kyverno 1.19 and \
        Kubernetes 1.36, types are not. Only `lint` and a sync with `LINT=block` check this.\
        """,
        "Correct the name.");
  }

  @Override
  public boolean readsCel() {
    return true;
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    var kyverno = policy.kind().usesCel() && !policy.kind().builtIn();
    Stream.concat(
            CelExpressions.of(policy),
            policy.spec().items("webhookConfiguration", "matchConditions").stream()
                .flatMap(item -> item.at("expression").stream()))
        .forEach(node -> judge(node, kyverno, found));
  }

  private static void judge(Node node, boolean kyverno, LintFindingSink found) {
    if (!(Cel.read(node.text().orElse("")) instanceof Cel.Parsed sound)) {
      return;
    }
    sound.names().functions().stream()
        .filter(name -> !FUNCTIONS.contains(name))
        .sorted()
        .forEach(name ->
            found.at(node, index(node, name), "the CEL function " + name + " does not exist"));
    sound.names().identifiers().stream()
        .filter(name -> !IDENTIFIERS.contains(name) || (kyverno && OF_KUBERNETES.contains(name)))
        .sorted()
        .forEach(name ->
            found.at(node, index(node, name), "the CEL variable " + name + " does not exist"));
    sound.names().ofRequest().stream()
        .filter(name -> !OF_REQUEST.contains(name))
        .sorted()
        .forEach(name ->
            found.at(
                node,
                index(node, name.substring(name.indexOf('.') + 1)),
                "a request has no field " + name));
    sound.names().messages().stream()
        .filter(name -> !MESSAGE.matcher(name).matches())
        .sorted()
        .forEach(
            name -> found.at(node, index(node, name), "the CEL type " + name + " does not exist"));
  }

  private static int index(Node node, String name) {
    var matcher =
        Pattern.compile("(?<!\\w)" + Pattern.quote(name) + "(?!\\w)")
            .matcher(node.text().orElse(""));
    return matcher.find() ? matcher.start() : 0;
  }

  private static Set<String> words(String text) {
    return Set.of(text.strip().split("\\s+"));
  }
}
