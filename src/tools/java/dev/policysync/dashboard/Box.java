package dev.policysync.dashboard;

/// A rectangle of the picture, in pixels.
record Box(double x, double y, double width, double height) {
  double right() {
    return x + width;
  }

  double bottom() {
    return y + height;
  }
}
