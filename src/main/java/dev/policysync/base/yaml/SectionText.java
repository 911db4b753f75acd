package dev.policysync.base.yaml;

import org.yaml.snakeyaml.error.Mark;

/// The text of one section of a stream. The section begins on line `firstLine` of the stream.
final class SectionText {
  private final String text;
  private final int firstLine;
  private int knownCodePoints;
  private int knownOffset;

  SectionText(String text, int firstLine) {
    this.text = text;
    this.firstLine = firstLine;
  }

  String text() {
    return text;
  }

  int firstLine() {
    return firstLine;
  }

  /// Returns the location in the stream of a mark in this text.
  Location place(Mark mark) {
    return new Location(firstLine + mark.getLine(), mark.getColumn() + 1);
  }

  /// Returns the location after this number of code points.
  Location placeAfter(int codePoints) {
    var before = text.substring(0, offset(codePoints));
    var lines = (int) before.chars().filter(c -> c == '\n').count();
    var lastLine = before.substring(before.lastIndexOf('\n') + 1);
    return new Location(firstLine + lines, lastLine.codePointCount(0, lastLine.length()) + 1);
  }

  Location start() {
    return new Location(firstLine, 1);
  }

  /// Returns the code point `ahead` code points after a mark, or 0 beyond the end.
  int codePoint(Mark mark, int ahead) {
    var window = mark.getBuffer();
    var inWindow = mark.getPointer() + ahead;
    if (inWindow < window.length && window[inWindow] != 0) {
      return window[inWindow];
    }
    var offset = offset(mark.getIndex() + ahead);
    return offset < text.length() ? text.codePointAt(offset) : 0;
  }

  /// Returns the text from a mark to the end of its line.
  String restOfLine(Mark mark) {
    var from = offset(mark.getIndex());
    var end = text.indexOf('\n', from);
    return text.substring(from, end < 0 ? text.length() : end);
  }

  /// Returns the index of a code point in the text, given its number. Counting continues from the
  /// previous call, so calls in the order of the text take one pass.
  int offset(int codePoints) {
    if (codePoints < knownCodePoints) {
      knownCodePoints = 0;
      knownOffset = 0;
    }
    while (knownCodePoints < codePoints && knownOffset < text.length()) {
      knownOffset += Character.charCount(text.codePointAt(knownOffset));
      knownCodePoints++;
    }
    return knownOffset;
  }
}
