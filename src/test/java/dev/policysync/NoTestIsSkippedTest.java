package dev.policysync;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/// A skipped test reads as a passed one in a build's last line. So none may be skippable: what a
/// test needs is there, or the test fails.
class NoTestIsSkippedTest {
  @Test
  void noTestIsDisabledOrAssumesAnything() {
    var everything = new ClassFileImporter().importPackages("dev.policysync");

    noClasses()
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            ".*\\.(Disabled|api\\.condition\\..*|.*Assumptions?|TestAbortedException)")
        .check(everything);
  }
}
