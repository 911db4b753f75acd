/// Policy reports of the cluster, list by list ([ClusterReports]).
@NullMarked
package dev.policysync.cluster.report;

import org.jspecify.annotations.NullMarked;
