package dev.policysync.view;

import dev.policysync.cli.Golden;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What programs and browsers get.
class ViewGoldenTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "view");

  private final StringWriter out = new StringWriter();

  @Test
  void writesEveryFieldOfTheDocument() throws IOException {
    FindingsJson.write(ViewSamples.few(), ViewSamples.OCCASION, out);

    assertGolden("few.json");
  }

  @Test
  void writesARowForEachFinding() throws IOException {
    FindingsCsv.write(ViewSamples.few(), out);

    assertGolden("few.csv");
  }

  @Test
  void writesAPageWithEveryFindingInItTwice() throws IOException {
    FindingsPage.write(ViewSamples.few(), ViewSamples.OCCASION, out);

    assertGolden("few.html", withoutFiles(out.toString()));
  }

  @Test
  void letsNoTextOfAReportBecomeMarkup() throws IOException {
    FindingsPage.write(ViewSamples.hostile(), ViewSamples.OCCASION, out);

    assertGolden("hostile.html", withoutFiles(out.toString()));
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
