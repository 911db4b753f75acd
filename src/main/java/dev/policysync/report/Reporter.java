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

/// Collects a report, delivers it and returns a summary. A report is delivered completely or not at
/// all, because the API counts a finding that is missing from a report as fixed.
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

  /// Runs once. A failure is part of the summary.
  public ReportSummary run() {
    var began = nanoTime.getAsLong();
    CollectedReports collectedReports;
    try {
      collectedReports = collect();
    } catch (CollectionFailed e) {
      notifyApi(e.getMessage());
      return ReportSummary.failed(e.getMessage(), since(began));
    }
    try (collectedReports) {
      var content =
          Optional.of(
              new ReportSummary.Content(
                  collectedReports.totals(),
                  collectedReports.statistics(),
                  collectedReports.sizes()));
      try {
        var bytes = deliver(collectedReports);
        return new ReportSummary(
            outcome(), content, Optional.empty(), bytes, since(began), collectedReports.warnings());
      } catch (UploadFailed | CollectionFailed e) {
        return new ReportSummary(
            ReportSummary.Status.FAILED,
            content,
            Optional.of(String.valueOf(e.getMessage())),
            0,
            since(began),
            collectedReports.warnings());
      }
    }
  }

  /// Collects the reports. A full heap is reported like any other failure; the objects that filled
  /// it can be collected by then.
  private CollectedReports collect() {
    try {
      return collector.collect();
    } catch (OutOfMemoryError e) {
      throw new CollectionFailed(
          "out of memory while reading reports; increase the heap and the memory limit of the pod",
          e);
    }
  }

  private long deliver(CollectedReports collectedReports) {
    return switch (delivery) {
      case Delivery.Sent(var upload, _) -> {
        refuseWhereResultsVanished(collectedReports);
        upload.send(collectedReports.upload());
        yield collectedReports.upload().length();
      }
      case Delivery.Written(var file) -> {
        refuseWhereResultsVanished(collectedReports);
        write(collectedReports.upload(), file);
        yield collectedReports.upload().length();
      }
      case Delivery.Shown(var reader) -> {
        reader.accept(collectedReports);
        yield 0;
      }
    };
  }

  private void refuseWhereResultsVanished(CollectedReports collectedReports) {
    collectedReports
        .reasonNotToUpload()
        .ifPresent(why -> {
          notifyApi(why);
          throw new CollectionFailed(why);
        });
  }

  private ReportSummary.Status outcome() {
    return switch (delivery) {
      case Delivery.Sent _ -> ReportSummary.Status.UPLOADED;
      case Delivery.Written _ -> ReportSummary.Status.WRITTEN;
      case Delivery.Shown _ -> ReportSummary.Status.SHOWN;
    };
  }

  /// Writes the body to a temporary name and renames it, so that readers never see a partial file.
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
          "cannot write " + file + ": " + SpillFile.reason(e) + "; " + SpillFile.advice(e), e);
    }
  }

  private static void remove(Path partial) {
    try {
      Files.deleteIfExists(partial);
    } catch (IOException _) {
      // Harmless: no reader looks for the temporary name.
    }
  }

  /// Notifies the API of a failure. If that fails, too, the outcome of the run does not change.
  private void notifyApi(String reason) {
    if (delivery instanceof Delivery.Sent(var upload, var tellFailures) && tellFailures) {
      try {
        upload.sendFailure(FailureNote.of(reason));
      } catch (UploadFailed e) {
        LOG.atWarn().addKeyValue("reason", e.getMessage()).log("Failure not sent to the API");
      }
    }
  }

  private Duration since(long began) {
    return Duration.ofNanos(nanoTime.getAsLong() - began);
  }
}
