package dev.policysync.faults;

import java.time.Duration;
import java.util.Optional;

/// What becomes of one request between the agent and a server.
sealed interface Fault {
  /// It is answered as it should be.
  record None() implements Fault {}

  /// It is answered later.
  record Late(Duration by) implements Fault {}

  /// The connection is reset, and the server never sees it.
  record LostRequest() implements Fault {}

  /// The server does what it was asked, then the connection is reset.
  record LostAnswer() implements Fault {}

  /// Half of the answer's body arrives.
  ///
  /// @param chunked whether its length is not announced: only a last chunk that is missing tells
  record HalfAnswer(boolean chunked) implements Fault {}

  /// The server does what it was asked, and answers nothing before somebody gives up.
  record Silence() implements Fault {}

  /// One byte of the answer's body a second.
  record Drip() implements Fault {}

  /// The server never sees it; something answers in its place.
  ///
  /// @param retryAfter in seconds, as the header says it
  record Refused(int status, Optional<Integer> retryAfter, String message) implements Fault {}

  /// The server does what it was asked, and yet that is answered.
  record DoneAndRefused(int status, String message) implements Fault {}
}
