package dev.policysync.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Collects, delivers, and says how it went. What is delivered is complete, or nothing is: a
/// finding that is absent from a report reads as fixed.
public final class Reporter {
  private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);

  private final Collector collector;
  private final Delivery delivery;
  private final LongSupplier nanoTime;

  public Reporter(Collector collector, Delivery delivery, LongSupplier nanoTime) {
    this.collector = collector;
    this.delivery = delivery;
    this.nanoTime = nanoTime;
  }

  /// Runs once; failures are in the summary.
  public ReportSummary run() {
    var began = nanoTime.getAsLong();
    Collection collection;
    try {
      collection = collect();
    } catch (CollectionFailed e) {
      tell(e.getMessage());
      return ReportSummary.failed(e.getMessage(), since(began));
    }
    try (collection) {
      var content =
          Optional.of(
              new ReportSummary.Content(
                  collection.totals(), collection.remarks(), collection.sizes()));
      try {
        var bytes = deliver(collection);
        return new ReportSummary(outcome(), content, Optional.empty(), bytes, since(began));
      } catch (UploadFailed | CollectionFailed e) {
        return new ReportSummary(
            ReportSummary.Outcome.FAILED,
            content,
            Optional.of(String.valueOf(e.getMessage())),
            0,
            since(began));
      }
    }
  }

  /// A heap that is full is told like any other failure; what filled it is garbage by then.
  private Collection collect() {
    try {
      return collector.collect();
    } catch (OutOfMemoryError e) {
      throw new CollectionFailed(
          "out of memory while reading reports; give the process a larger heap and its pod more"
              + " memory",
          e);
    }
  }

  private long deliver(Collection collection) {
    return switch (delivery) {
      case Delivery.Sent(var upload, _) -> {
        upload.send(collection.upload());
        yield collection.upload().length();
      }
      case Delivery.Written(var file) -> {
        write(collection.upload(), file);
        yield collection.upload().length();
      }
      case Delivery.Shown(var reader) -> {
        reader.accept(collection);
        yield 0;
      }
    };
  }

  private ReportSummary.Outcome outcome() {
    return switch (delivery) {
      case Delivery.Sent _ -> ReportSummary.Outcome.UPLOADED;
      case Delivery.Written _ -> ReportSummary.Outcome.WRITTEN;
      case Delivery.Shown _ -> ReportSummary.Outcome.SHOWN;
    };
  }

  /// Whoever waits for the file sees all of it or none.
  private static void write(UploadBody body, Path file) {
    var partial = file.resolveSibling(file.getFileName() + ".partial");
    try {
      try (var out = Files.newOutputStream(partial)) {
        body.writeTo(out);
      }
      Files.move(
          partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      remove(partial);
      throw new CollectionFailed(
          "cannot write " + file + ": " + Spool.reason(e) + "; mount a writable volume there", e);
    }
  }

  private static void remove(Path partial) {
    try {
      Files.deleteIfExists(partial);
    } catch (IOException _) {
      // It is not under the name that anybody waits for.
    }
  }

  /// Whether the API hears of it changes nothing about the run.
  private void tell(String reason) {
    if (delivery instanceof Delivery.Sent(var upload, var tellFailures) && tellFailures) {
      try {
        upload.sendFailure(FailureNote.of(reason));
      } catch (UploadFailed e) {
        LOG.atWarn().addKeyValue("reason", e.getMessage()).log("Failure not told to the API");
      }
    }
  }

  private Duration since(long began) {
    return Duration.ofNanos(nanoTime.getAsLong() - began);
  }
}
