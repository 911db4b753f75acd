package dev.policysync.report.view;

import dev.policysync.cli.Golden;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What programs and browsers get.
class ViewGoldenTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "view");

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();

  @Test
  void writesEveryFieldOfTheDocument() throws IOException {
    FindingsJson.write(ViewSamples.few(), ViewSamples.CONTEXT, out);

    assertGolden("few.json");
  }

  @Test
  void writesARowForEachFinding() throws IOException {
    FindingsCsv.write(ViewSamples.few(), ViewSamples.CONTEXT, out);

    assertGolden("few.csv");
  }

  @Test
  void writesAPageWithEveryFindingInItTwice() throws IOException {
    FindingsPage.write(ViewSamples.few(), ViewSamples.CONTEXT, out);

    assertGolden("few.html", withoutFiles(out.toString()));
  }

  @Test
  void letsNoTextOfAReportBecomeMarkup() throws IOException {
    FindingsPage.write(ViewSamples.hostile(), ViewSamples.CONTEXT, out);

    assertGolden("hostile.html", withoutFiles(out.toString()));
  }

  @Test
  void writesWhatIsNewAndGoneAndWhoseItIs() throws IOException {
    FindingsJson.write(ViewSamples.few(), ViewSamples.sinceYesterday(folder), out);
    FindingsCsv.write(ViewSamples.few(), ViewSamples.sinceYesterday(folder), out);

    assertGolden("since.txt");
  }

  @Test
  void writesWhatIsNewAndGoneIntoThePage() throws IOException {
    FindingsPage.write(ViewSamples.few(), ViewSamples.sinceYesterday(folder), out);

    assertGolden("since.html", withoutFiles(out.toString()));
  }

  @Test
  void writesWhatReportsTakeAndAnEstimate() throws IOException {
    var storage = Storage.of(ViewSamples.few());

    StorageJson.write(storage, Optional.empty(), ViewSamples.OCCASION, out);
    StorageJson.write(storage, Optional.of(storage.estimate(5_000, 20)), ViewSamples.OCCASION, out);

    assertGolden("storage.json");
  }

  private void assertGolden(String file) {
    assertGolden(file, out.toString());
  }

  private static void assertGolden(String file, String text) {
    Golden.assertEqual(FOLDER.resolve(file), text);
  }

  /// Style sheet and script are files of their own, which need no second copy.
  private static String withoutFiles(String page) {
    return page.replace(Template.read("page.css"), "…")
        .replace(Template.read("page.js"), "…")
        .replaceAll("'sha256-[^']+'", "'sha256-…'");
  }
}
