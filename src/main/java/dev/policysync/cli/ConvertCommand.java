package dev.policysync.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import dev.policysync.base.yaml.YamlText;
import dev.policysync.convert.Conversion;
import dev.policysync.convert.Converter;
import dev.policysync.convert.Refusal;
import dev.policysync.convert.WebhookLimit;
import dev.policysync.convert.verification.Verification.Proof;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.FeedProblem;
import dev.policysync.policy.feed.LocatedPolicies;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.policy.feed.PolicySource;
import dev.policysync.policy.feed.SkippedDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `convert`: prints the successors of policies that Kyverno 1.20 no longer executes, and why a
/// policy has none. The exit code is 0 if all policies are converted, 1 if some are refused or have
/// other verdicts than their successors, and 2 if the input cannot be read.
public final class ConvertCommand {
  private final Invocation.Run invocation;
  private final Output out;
  private final Output err;

  private ConvertCommand(Invocation.Run invocation, Output out, Output err) {
    this.invocation = invocation;
    this.out = out;
    this.err = err;
  }

  public static ConvertCommand on(Invocation.Run invocation, Output out, Output err) {
    return new ConvertCommand(invocation, out, err);
  }

  /// Compares the verdicts of a policy and its successors.
  public interface Verifier {
    /// Returns the result of the comparison.
    ///
    /// @param exceptions the exceptions that name the policy
    Proof verify(Conversion conversion, List<Conversion> exceptions);
  }

  /// Returns the errors in the command line; empty if the command can run.
  public List<String> problems() {
    var problems = new ArrayList<String>();
    if (invocation.operands().isEmpty()) {
      problems.add("no input: specify files or a directory, or - for standard input");
    }
    for (var option : List.of(CommandOption.RESOURCES, CommandOption.KYVERNO)) {
      if (invocation.has(option) && !verifies()) {
        problems.add(option.flag() + " requires --verify");
      }
    }
    return problems;
  }

  /// Returns whether policies are compared with their successors (`--verify`).
  public boolean verifies() {
    return invocation.has(CommandOption.VERIFY);
  }

  /// The file or directory of further resources to compare (`--resources`).
  public Optional<String> resources() {
    return invocation.argument(CommandOption.RESOURCES);
  }

  /// The path of Kyverno's command-line program (`--kyverno`).
  public Optional<String> kyverno() {
    return invocation.argument(CommandOption.KYVERNO);
  }

  /// The files, directories or `-` to read policies from.
  public List<String> files() {
    return invocation.operands();
  }

  /// Converts all policies of the source.
  ///
  /// @param verifier called only with `--verify`
  public ExitCode run(PolicySource source, Verifier verifier) {
    LocatedPolicies written;
    List<Manifest> manifests;
    try {
      manifests = source.read();
      written = PolicyReader.readLocated(manifests);
    } catch (FeedProblem e) {
      return refuse(List.of(e.reason()));
    }
    if (!written.unreadable().isEmpty()) {
      return refuse(
          written.unreadable().stream()
              .map(document -> document.positions().getFirst() + ": " + document.reason())
              .toList());
    }
    var converter = new Converter();
    var conversions = converter.convert(written);
    if (verifies()) {
      conversions = conversions.stream().map(new WebhookLimit()::admit).toList();
      conversions = verified(conversions, verifier, converter);
    }
    var others = written.policies().size() - conversions.size() + ofOtherKinds(written);
    if (invocation.output().orElse(OutputFormat.YAML) == OutputFormat.JSON) {
      out.document(ConvertJson.write(conversions, others) + "\n");
    } else {
      conversions.forEach(this::printYaml);
    }
    out.flush();
    printRefusals(conversions, others, noPolicies(written));
    printAlternatives(written.duplicates());
    printLostComments(conversions, manifests);
    return conversions.stream().allMatch(Conversion::converted) ? ExitCode.OK : ExitCode.FAILED;
  }

  private static int ofOtherKinds(LocatedPolicies written) {
    return (int)
        written.skipped().stream()
            .filter(document -> document.what() == SkippedDocument.What.OTHER_KIND)
            .count();
  }

  private static int noPolicies(LocatedPolicies written) {
    return written.skipped().size() - ofOtherKinds(written);
  }

  /// Says how many lines of comments the successors do not have.
  private void printLostComments(List<Conversion> conversions, List<Manifest> manifests) {
    var converted =
        conversions.stream()
            .filter(Conversion::converted)
            .map(conversion -> conversion.policy().position().source())
            .collect(toSet());
    var comments =
        manifests.stream()
            .filter(manifest -> converted.contains(manifest.name()))
            .flatMap(manifest -> new String(manifest.bytes(), UTF_8).lines())
            .filter(line -> line.stripLeading().startsWith("#"))
            .count();
    if (comments > 0) {
      err.println("note: comments are not in the successors; lines of comments: " + comments);
      err.flush();
    }
  }

  /// Verifies each policy together with the exceptions that name it: either all of them are
  /// converted, or none.
  private List<Conversion> verified(
      List<Conversion> conversions, Verifier verifier, Converter converter) {
    var proven =
        conversions.stream()
            .map(conversion ->
                conversion.converted() && !Converter.isException(conversion.policy())
                    ? verified(conversion, exceptions(conversions, conversion), verifier)
                    : conversion)
            .toList();
    return converter.refuseIncompleteGroups(proven);
  }

  private static List<Conversion> exceptions(List<Conversion> conversions, Conversion policy) {
    return conversions.stream()
        .filter(one -> Converter.isException(one.policy()) && one.converted())
        .filter(one -> Converter.namedPolicies(one.policy()).contains(policy.policy().id()))
        .toList();
  }

  /// Returns the conversion, or a refusal if the verdicts differ or nothing is proven.
  private Conversion verified(
      Conversion conversion, List<Conversion> exceptions, Verifier verifier) {
    var policy = conversion.policy();
    var found = verifier.verify(conversion, exceptions);
    found.objections().forEach(objection -> objection.lines().forEach(err::println));
    if (found.compared() > 0) {
      var differ = found.objections().isEmpty() ? "none differs" : "some differ";
      err.println(policy.id() + ": " + found.compared() + " verdicts compared, " + differ);
    }
    err.flush();
    return found.objections().isEmpty()
        ? conversion
        : new Conversion(
            policy,
            List.of(),
            List.of(
                new Refusal(
                    policy.id().toString(),
                    "",
                    policy.position(),
                    "a policy whose successor is not proven",
                    "",
                    "see above; please report differing verdicts, and write the successor by"
                        + " hand")));
  }

  /// Prints why nothing was converted.
  public ExitCode refuse(List<String> problems) {
    err.println("policy-sync cannot convert:");
    problems.forEach(problem -> err.println("  - " + problem));
    err.println("Run 'policy-sync help convert' for usage.");
    err.flush();
    return ExitCode.USAGE;
  }

  private void printYaml(Conversion conversion) {
    for (var successor : conversion.successors()) {
      out.println("---");
      out.document(YamlText.write(successor.manifest()));
    }
  }

  private void printRefusals(List<Conversion> conversions, int others, int noPolicies) {
    for (var conversion : conversions) {
      for (var refusal : conversion.refusals()) {
        print(refusal);
      }
    }
    var converted = conversions.stream().filter(Conversion::converted).count();
    err.println(
        converted
            + " of "
            + conversions.size()
            + (conversions.size() == 1 ? " policy" : " policies")
            + " of kyverno.io converted"
            + (others == 0 ? "" : ", " + others + " of other kinds left out")
            + (noPolicies == 0
                ? ""
                : ", "
                    + noPolicies
                    + (noPolicies == 1 ? " document" : " documents")
                    + " without a policy"));
    err.flush();
  }

  /// Warns of the policies that several files define in one line, as `lint` does, because a
  /// directory of examples may contain many of them.
  private void printAlternatives(List<LocatedPolicies.Duplicate> duplicates) {
    var alternatives =
        duplicates.stream()
            .filter(it -> !it.inOneFile() && it.id().kind().endsWithKyverno119())
            .toList();
    if (!alternatives.isEmpty()) {
      err.println(
          "warning: "
              + alternatives.getFirst().id()
              + " is defined in "
              + alternatives.getFirst().positions().stream()
                  .map(position -> position.source() + ":" + position.line())
                  .collect(joining(" and "))
              + (alternatives.size() == 1
                  ? ""
                  : "; so are " + (alternatives.size() - 1) + " more policies in several files")
              + "; apply the successors of one");
      err.flush();
    }
  }

  private void print(Refusal refusal) {
    var position = refusal.position();
    err.println(
        position.source()
            + ":"
            + position.line()
            + ":"
            + position.column()
            + ": "
            + refusal.policy()
            + (refusal.rule().isEmpty() ? "" : ", rule " + refusal.rule())
            + ": "
            + refusal.what()
            + " cannot be converted: "
            + refusal.advice());
  }
}
