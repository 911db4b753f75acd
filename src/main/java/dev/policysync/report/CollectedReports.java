package dev.policysync.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// The result of one collection: the findings for people and the upload body for the API.
final class CollectedReports implements Findings {
  private final SpillFile spillFile;
  private final StringTable stringTable;
  private final ReportedPolicyTable policies;
  private final List<SpillPartition> partitions;
  private final Totals totals;
  private final CollectionStatistics collectionStatistics;
  private final Map<ReportKind, ReportSizes> sizes;
  private final Body upload;
  private final VanishedResults vanishedResults;

  CollectedReports(
      SpillFile spillFile,
      StringTable stringTable,
      ReportedPolicyTable policies,
      List<SpillPartition> strands,
      Totals totals,
      CollectionStatistics collectionStatistics,
      Map<ReportKind, ReportSizes> sizes,
      Body upload,
      VanishedResults vanishedResults) {
    this.spillFile = spillFile;
    this.stringTable = stringTable;
    this.policies = policies;
    this.partitions = List.copyOf(strands);
    this.totals = totals;
    this.collectionStatistics = collectionStatistics;
    this.sizes = Collections.unmodifiableMap(new EnumMap<>(sizes));
    this.upload = upload;
    this.vanishedResults = vanishedResults;
  }

  @Override
  public Totals totals() {
    return totals;
  }

  @Override
  public CollectionStatistics statistics() {
    return collectionStatistics;
  }

  @Override
  public Map<ReportKind, ReportSizes> sizes() {
    return sizes;
  }

  @Override
  public Stream<Finding> stream() {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            new SortedFindings(partitions, stringTable, policies),
            Spliterator.ORDERED | Spliterator.NONNULL),
        false);
  }

  /// Returns why the report must not be uploaded although everything was read; empty if it may be
  /// uploaded.
  Optional<String> reasonNotToUpload() {
    return vanishedResults.objection();
  }

  List<String> warnings() {
    return vanishedResults.warnings();
  }

  public UploadBody upload() {
    return upload;
  }

  @Override
  public void close() {
    spillFile.close();
  }

  /// The upload body. Each write assembles it from the lists in the spill file.
  static final class Body implements UploadBody {
    private final String kyvernoVersion;
    private final UploadLists lists;
    private final BitSet valid;
    private final StaleReportFilter staleReportFilter;
    private final long length;

    Body(
        String kyvernoVersion,
        UploadLists lists,
        BitSet valid,
        StaleReportFilter staleReportFilter) {
      this.kyvernoVersion = kyvernoVersion;
      this.lists = lists;
      this.valid = valid;
      this.staleReportFilter = staleReportFilter;
      this.length = measure();
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      var buffered = new BufferedOutputStream(out);
      text(buffered, "{\"kyvernoVersion\":" + CanonicalJson.write(new Value.Text(kyvernoVersion)));
      list(buffered, "policyReports", lists.policyReports());
      list(buffered, "clusterPolicyReports", lists.clusterPolicyReports());
      list(buffered, "validatingAdmissionPolicyReports", lists.validatingAdmissionPolicyReports());
      list(buffered, "validatingAdmissionPolicies", lists.validatingAdmissionPolicies());
      list(buffered, "clusterPolicies", lists.clusterPolicies());
      text(buffered, "}");
      buffered.flush();
    }

    private void list(OutputStream out, String name, UploadItems items) throws IOException {
      text(out, ",\"" + name + "\":");
      items.writeTo(out, valid::get, staleReportFilter::isStale);
    }

    private static void text(OutputStream out, String text) throws IOException {
      out.write(text.getBytes(UTF_8));
    }

    private long measure() {
      try {
        var counter = new Counter();
        writeTo(counter);
        return counter.bytes;
      } catch (IOException e) {
        throw new IllegalStateException("counting bytes failed", e);
      }
    }
  }

  private static final class Counter extends OutputStream {
    private long bytes;

    @Override
    public void write(int one) {
      bytes++;
    }

    @Override
    public void write(byte[] some, int from, int length) {
      bytes += length;
    }
  }
}
