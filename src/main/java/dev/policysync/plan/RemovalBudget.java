package dev.policysync.plan;

/// How many policies the runs of a day may remove (promise 4, see [RemovalHistory]): a number, or a
/// percentage of the owned policies.
public sealed interface RemovalBudget {
  /// The default: 20% of the owned policies, but at least two.
  RemovalBudget DEFAULT = new Share(20);

  /// Returns how many removals are allowed if so many policies are owned.
  int most(int owned);

  boolean allows(int removals, int owned);

  record Count(int most) implements RemovalBudget {
    public Count {
      if (most < 0) {
        throw new IllegalArgumentException("a removal budget below zero: " + most);
      }
    }

    @Override
    public boolean allows(int removals, int owned) {
      return removals <= most(owned);
    }

    @Override
    public int most(int owned) {
      return most;
    }

    @Override
    public String toString() {
      return Integer.toString(most);
    }
  }

  /// A percentage, rounded down, but at least two unless the percentage is zero: in a cluster with
  /// few policies, a percentage alone would allow no removal.
  record Share(int percent) implements RemovalBudget {
    private static final int ALWAYS_ALLOWED = 2;

    public Share {
      if (percent < 0 || percent > 100) {
        throw new IllegalArgumentException("a removal budget of " + percent + " %");
      }
    }

    @Override
    public boolean allows(int removals, int owned) {
      return removals <= most(owned);
    }

    @Override
    public int most(int owned) {
      var share = Math.toIntExact((long) owned * percent / 100);
      return percent == 0 ? 0 : Math.max(ALWAYS_ALLOWED, share);
    }

    @Override
    public String toString() {
      return percent + "%";
    }
  }
}
