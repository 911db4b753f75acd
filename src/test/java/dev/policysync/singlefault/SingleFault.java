package dev.policysync.singlefault;

import java.util.function.Predicate;

/// What goes wrong in a run, and at which of its requests.
///
/// @param at the request: `LIST ClusterPolicy #2`
record SingleFault(Kind kind, String at, Happening happening) {
  static final SingleFault NONE = new SingleFault(Kind.NONE, "", Happening.NOTHING);

  enum Kind {
    NONE("nothing"),
    /// It is answered with what was true before the last change.
    STALE("an old answer to"),
    /// Somebody changes something right before it arrives.
    UNOBSERVED("before"),
    KILLED_BEFORE("killed before"),
    KILLED_AFTER("killed after"),
    /// It is done, and the agent is not told.
    LOST("the answer lost of"),
    /// It is done, and the agent is told of an error of the server.
    MISREPORTED("an error in answer to");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  /// Something that somebody else does.
  ///
  /// @param play does it, and says whether there was anything to do
  /// @param touches the requests that may notice it, or may not be done as they would have been
  /// @param then happens one request later
  record Happening(
      String what, ForeignChange.Deed play, Predicate<Subject> touches, ForeignChange.Deed then) {
    static final Happening NOTHING = new Happening("", _ -> false, _ -> false);

    Happening(String what, ForeignChange.Deed play, Predicate<Subject> touches) {
      this(what, play, touches, _ -> false);
    }

    @Override
    public String toString() {
      return what;
    }
  }

  static SingleFault of(Kind kind, String at) {
    return new SingleFault(kind, at, Happening.NOTHING);
  }

  boolean is(Kind other, String request) {
    return kind == other && at.equals(request);
  }

  @Override
  public String toString() {
    return (happening.what().isEmpty() ? "" : happening + " ") + kind.text + " " + at;
  }
}
