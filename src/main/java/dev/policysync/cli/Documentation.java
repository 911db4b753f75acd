package dev.policysync.cli;

/// The URLs of the documentation's pages, for messages: most users have no copy of the repository.
public final class Documentation {
  public static final String REPOSITORY = "https://github.com/policy-sync/policy-sync";

  private Documentation() {}

  /// Returns the URL of a page in this release, or on `main` in a development build.
  ///
  /// @param page its path in the repository: `docs/messages.md`
  public static String url(String page) {
    var version = ProgramVersion.text();
    var tree = version.matches("\\d+\\.\\d+\\.\\d+") ? "v" + version : "main";
    return REPOSITORY + "/blob/" + tree + "/" + page;
  }
}
