package dev.policysync.statemachine;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;

/// What authors of the feed and people at the cluster do between two runs, or in the middle of one.
enum ExternalAction {
  ADDS(10, FeedAuthors::add),
  CHANGES(8, FeedAuthors::change),
  REMOVES(6, FeedAuthors::remove),
  REMOVES_HALF(1, FeedAuthors::removeHalf),
  MOVES(6, FeedAuthors::move),
  TWINS(6, FeedAuthors::twin),
  REPLACES_ALL(1, FeedAuthors::replaceAll),
  EMPTIES(1, FeedAuthors::empty),
  RESTORES(2, FeedAuthors::restore),
  SPOILS(5, FeedAuthors::spoil),
  FLAWS(2, FeedAuthors::flaw),
  MENDS(3, FeedAuthors::mend),
  EDITS_A_SPEC(ClusterUsers::editASpec, 6),
  APPLIES_AS_ANOTHER_TOOL(ClusterUsers::applyAsAnotherTool, 3),
  EDITS_NOTES(ClusterUsers::editNotes, 5),
  WIPES_MANAGED_FIELDS(ClusterUsers::wipeManagedFields, 2),
  WRITES_A_STATUS(ClusterUsers::writeAStatus, 3),
  KUBECTL_APPLIES(ClusterUsers::kubectlApply, 4),
  COPIES(ClusterUsers::copy, 4),
  CREATES_OWNED(ClusterUsers::createOwned, 3),
  CREATES_UNOWNED(ClusterUsers::createUnowned, 2),
  TAKES_A_NAME(ClusterUsers::takeAName, 3),
  GIVES_AN_OWNER(ClusterUsers::giveAnOwner, 2),
  TAKES_THE_OWNER_AWAY(ClusterUsers::takeTheOwnerAway, 1),
  GIVES_TO_ANOTHER_SOURCE(ClusterUsers::giveToAnotherSource, 2),
  CLAIMS(ClusterUsers::claim, 2),
  DETACHES(ClusterUsers::detach, 3),
  KEEPS(ClusterUsers::keep, 3),
  PAUSES(ClusterUsers::pause, 3),
  DELETES(ClusterUsers::delete, 4),
  DELETES_FOREIGN(ClusterUsers::deleteForeign, 6),
  REPLACES_BY_AN_UNOWNED_ONE(ClusterUsers::replaceByAnUnownedOne, 2),
  HOLDS_BY_A_FINALIZER(ClusterUsers::holdByAFinalizer, 3),
  BEGINS_TO_DELETE(ClusterUsers::beginToDelete, 1),
  FINISHES_DELETING(ClusterUsers::finishDeleting, 2),
  APPROVES(ClusterUsers::approve, 6),
  APPROVES_ANOTHER_LIST(ClusterUsers::approveAnotherList, 1),
  APPROVES_LONG_AGO(ClusterUsers::approveLongAgo, 1),
  WITHDRAWS_APPROVAL(ClusterUsers::withdrawApproval, 1),
  ANNOTATES_THE_LEASE(ClusterUsers::annotateTheLease, 1),
  SPOILS_THE_MEMORY(ClusterUsers::spoilTheMemory, 1),
  STOPS_KYVERNO(ClusterUsers::stopKyverno, 2),
  STARTS_KYVERNO(ClusterUsers::startKyverno, 4);

  private static final List<ExternalAction> EACH_BY_ITS_WEIGHT = new ArrayList<>();

  static {
    for (var externalAction : values()) {
      for (int i = 0; i < externalAction.weight; i++) {
        EACH_BY_ITS_WEIGHT.add(externalAction);
      }
    }
  }

  private final int weight;
  private final boolean atTheCluster;

  @SuppressWarnings("ImmutableEnumChecker") // a method reference, whose type hides that
  private final BiFunction<World, Random, String> deed;

  ExternalAction(int weight, Function<FeedAuthors, String> deed) {
    this.weight = weight;
    this.atTheCluster = false;
    this.deed = (world, random) -> deed.apply(new FeedAuthors(world, random));
  }

  ExternalAction(Function<ClusterUsers, String> deed, int weight) {
    this.weight = weight;
    this.atTheCluster = true;
    this.deed = (world, random) -> deed.apply(new ClusterUsers(world, random));
  }

  static ExternalAction any(Random random) {
    return RandomChoices.one(random, EACH_BY_ITS_WEIGHT);
  }

  /// One that changes the cluster and not the feed.
  static ExternalAction atTheCluster(Random random) {
    return RandomChoices.one(
        random,
        EACH_BY_ITS_WEIGHT.stream().filter(externalAction -> externalAction.atTheCluster).toList());
  }

  /// One that changes the feed and not the cluster.
  static ExternalAction ofTheFeed(Random random) {
    return RandomChoices.one(
        random,
        EACH_BY_ITS_WEIGHT.stream()
            .filter(externalAction -> !externalAction.atTheCluster)
            .toList());
  }

  /// Does it, and tells what it did.
  String play(World world, Random random) {
    return this + " " + deed.apply(world, random);
  }
}
