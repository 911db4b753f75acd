package dev.policysync.statemachine;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;

/// What authors of the feed and people at the cluster do between two runs, or in the middle of one.
enum Deed {
  ADDS(10, Authors::add),
  CHANGES(8, Authors::change),
  REMOVES(6, Authors::remove),
  REMOVES_HALF(1, Authors::removeHalf),
  MOVES(6, Authors::move),
  TWINS(6, Authors::twin),
  REPLACES_ALL(1, Authors::replaceAll),
  EMPTIES(1, Authors::empty),
  RESTORES(2, Authors::restore),
  SPOILS(5, Authors::spoil),
  FLAWS(2, Authors::flaw),
  MENDS(3, Authors::mend),
  EDITS_A_SPEC(People::editASpec, 6),
  APPLIES_AS_ANOTHER_TOOL(People::applyAsAnotherTool, 3),
  EDITS_NOTES(People::editNotes, 5),
  WIPES_MANAGED_FIELDS(People::wipeManagedFields, 2),
  WRITES_A_STATUS(People::writeAStatus, 3),
  KUBECTL_APPLIES(People::kubectlApply, 4),
  COPIES(People::copy, 4),
  CREATES_OWNED(People::createOwned, 3),
  CREATES_UNOWNED(People::createUnowned, 2),
  TAKES_A_NAME(People::takeAName, 3),
  GIVES_AN_OWNER(People::giveAnOwner, 2),
  TAKES_THE_OWNER_AWAY(People::takeTheOwnerAway, 1),
  GIVES_TO_ANOTHER_SOURCE(People::giveToAnotherSource, 2),
  CLAIMS(People::claim, 2),
  DETACHES(People::detach, 3),
  KEEPS(People::keep, 3),
  DELETES(People::delete, 4),
  DELETES_FOREIGN(People::deleteForeign, 6),
  REPLACES_BY_AN_UNOWNED_ONE(People::replaceByAnUnownedOne, 2),
  BEGINS_TO_DELETE(People::beginToDelete, 1),
  FINISHES_DELETING(People::finishDeleting, 2),
  APPROVES(People::approve, 6),
  APPROVES_ANOTHER_LIST(People::approveAnotherList, 1),
  APPROVES_LONG_AGO(People::approveLongAgo, 1),
  WITHDRAWS_APPROVAL(People::withdrawApproval, 1),
  ANNOTATES_THE_LEASE(People::annotateTheLease, 1);

  private static final List<Deed> EACH_BY_ITS_WEIGHT = new ArrayList<>();

  static {
    for (var deed : values()) {
      for (int i = 0; i < deed.weight; i++) {
        EACH_BY_ITS_WEIGHT.add(deed);
      }
    }
  }

  private final int weight;
  private final boolean atTheCluster;

  @SuppressWarnings("ImmutableEnumChecker") // a method reference, whose type hides that
  private final BiFunction<World, Random, String> deed;

  Deed(int weight, Function<Authors, String> deed) {
    this.weight = weight;
    this.atTheCluster = false;
    this.deed = (world, random) -> deed.apply(new Authors(world, random));
  }

  Deed(Function<People, String> deed, int weight) {
    this.weight = weight;
    this.atTheCluster = true;
    this.deed = (world, random) -> deed.apply(new People(world, random));
  }

  static Deed any(Random random) {
    return Dice.one(random, EACH_BY_ITS_WEIGHT);
  }

  /// One that changes the cluster and not the feed.
  static Deed atTheCluster(Random random) {
    return Dice.one(random, EACH_BY_ITS_WEIGHT.stream().filter(deed -> deed.atTheCluster).toList());
  }

  /// One that changes the feed and not the cluster.
  static Deed ofTheFeed(Random random) {
    return Dice.one(
        random, EACH_BY_ITS_WEIGHT.stream().filter(deed -> !deed.atTheCluster).toList());
  }

  /// Does it, and tells what it did.
  String play(World world, Random random) {
    return this + " " + deed.apply(world, random);
  }
}
