package dev.policysync.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.yaml.CanonicalJson;
import dev.policysync.yaml.Value;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// All that was collected: the findings for people, and the body for the API.
public final class Collection implements Findings {
  private final Spool spool;
  private final Names names;
  private final ReportedPolicies policies;
  private final List<Strand> strands;
  private final Totals totals;
  private final Remarks remarks;
  private final Map<ReportKind, Sizes> sizes;
  private final Body upload;

  Collection(
      Spool spool,
      Names names,
      ReportedPolicies policies,
      List<Strand> strands,
      Totals totals,
      Remarks remarks,
      Map<ReportKind, Sizes> sizes,
      Body upload) {
    this.spool = spool;
    this.names = names;
    this.policies = policies;
    this.strands = List.copyOf(strands);
    this.totals = totals;
    this.remarks = remarks;
    this.sizes = Collections.unmodifiableMap(new EnumMap<>(sizes));
    this.upload = upload;
  }

  @Override
  public Totals totals() {
    return totals;
  }

  @Override
  public Remarks remarks() {
    return remarks;
  }

  @Override
  public Map<ReportKind, Sizes> sizes() {
    return sizes;
  }

  @Override
  public Stream<Finding> stream() {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            new SortedFindings(strands, names, policies),
            Spliterator.ORDERED | Spliterator.NONNULL),
        false);
  }

  /// What is sent to the API.
  public UploadBody upload() {
    return upload;
  }

  @Override
  public void close() {
    spool.close();
  }

  /// The body, put together from its lists whenever it is written.
  static final class Body implements UploadBody {
    private final String kyvernoVersion;
    private final Upload lists;
    private final BitSet valid;
    private final Twins twins;
    private final long length;

    Body(String kyvernoVersion, Upload lists, BitSet valid, Twins twins) {
      this.kyvernoVersion = kyvernoVersion;
      this.lists = lists;
      this.valid = valid;
      this.twins = twins;
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
      items.writeTo(out, valid::get, twins::isStale);
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
