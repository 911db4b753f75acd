package dev.policysync.report;

import dev.policysync.policy.PolicyKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads everything that a cluster has of reports, and folds it.
///
/// First the policies, for their titles; then reports in openreports.io, so that a stale twin of
/// one is known when it comes; then the others. Each list is read page by page into a temporary
/// file, and folded in parts, so that memory stays flat however many reports there are.
public final class Collector {
  /// Reports in openreports.io first: [Twins] need it so.
  private static final List<ReportKind> ORDER =
      List.of(
          ReportKind.REPORT,
          ReportKind.CLUSTER_REPORT,
          ReportKind.POLICY_REPORT,
          ReportKind.CLUSTER_POLICY_REPORT);

  private final ReportSource source;
  private final List<Path> folders;

  /// @param folders where the temporary file may be, the best first; it is as large as what the API
  ///   is sent and a little more
  public Collector(ReportSource source, List<Path> folders) {
    this.source = source;
    this.folders = List.copyOf(folders);
  }

  /// Collects once.
  ///
  /// @throws CollectionFailed if anything that is there could not be read
  public Collection collect() {
    var spool = Spool.in(folders);
    try {
      return new Run(spool).collect();
    } catch (RuntimeException e) {
      spool.close();
      throw e;
    }
  }

  /// The state of one collection.
  private final class Run {
    private final Spool spool;
    private final BitSet valid = new BitSet();
    private final Map<ReportKind, Sizes> sizes = new EnumMap<>(ReportKind.class);
    private final List<long[]> newer = new ArrayList<>();
    private final Twins twins = new Twins();
    private final Names names = new Names();
    private final Upload upload;
    private int pages;
    private long staleReports;
    private long withoutPolicy;
    private long unknownResults;
    private long unknownSeverities;
    private long malformed;

    Run(Spool spool) {
      this.spool = spool;
      this.upload = Upload.in(spool);
    }

    Collection collect() {
      var kinds = source.kinds();
      var policies = new ReportedPolicies(policies(kinds.policies()));
      var intake = new Intake(spool, names, policies, twins, upload);
      for (var kind : ORDER) {
        var version = kinds.reports().get(kind);
        if (version != null) {
          reports(kind, version, intake);
        }
      }
      twins.settle(newer);
      upload.end();
      var kyverno = source.kyvernoVersion().orElse("");
      return fold(intake, policies, new Collection.Body(kyverno, upload, valid, twins));
    }

    private PolicyBook policies(Map<PolicyKind, String> versions) {
      var book = new PolicyBook();
      for (var kind : PolicyBook.KINDS) {
        var version = versions.get(kind);
        if (version == null) {
          continue;
        }
        var whole = whole(kind);
        var read =
            source.list(
                kind,
                version,
                whole.isPresent() ? ReportSource.Extent.WHOLE : ReportSource.Extent.METADATA,
                () -> new PolicyPage(kind, version, pages++, whole));
        read.forEach(page -> {
          valid.set(page.number());
          page.noteIn(book);
        });
      }
      return book;
    }

    /// The kinds whose objects the API is sent.
    private Optional<UploadItems> whole(PolicyKind kind) {
      return switch (kind) {
        case CLUSTER_POLICY -> Optional.of(upload.clusterPolicies());
        case VALIDATING_ADMISSION_POLICY -> Optional.of(upload.validatingAdmissionPolicies());
        default -> Optional.empty();
      };
    }

    private void reports(ReportKind kind, String version, Intake intake) {
      var read = source.list(kind, version, () -> new ReportPage(kind, pages++, intake));
      var size = Sizes.NONE;
      for (var page : read) {
        valid.set(page.number());
        size = size.plus(page.sizes());
        for (var i = 0; i < page.keys.size(); i++) {
          twins.add(page.keys.get(i), page.times.get(i));
        }
        newer.add(page.newer.toArray());
        staleReports += page.staleReports;
        withoutPolicy += page.withoutPolicy;
        unknownResults += page.unknownResults;
        unknownSeverities += page.unknownSeverities;
        malformed += page.malformed;
      }
      sizes.put(kind, size);
    }

    private Collection fold(Intake intake, ReportedPolicies policies, Collection.Body body) {
      intake.parts().forEach(Strand::end);
      var tally = new Tally();
      var fold = new Fold(names, policies, valid, twins, tally);
      var findings = new ArrayList<Strand>();
      for (var part : intake.parts()) {
        var strand = spool.strand();
        fold.fold(part, strand);
        findings.add(strand);
      }
      return new Collection(
          spool,
          names,
          policies,
          findings,
          tally.totals(names, policies),
          new Remarks(
              staleReports + twins.stale(),
              fold.superseded(),
              fold.ofControllers(),
              withoutPolicy,
              unknownResults,
              unknownSeverities,
              malformed,
              fold.cutMessages()),
          sizes,
          body);
    }
  }
}
