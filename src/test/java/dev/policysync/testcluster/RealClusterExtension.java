package dev.policysync.testcluster;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/// Starts the one cluster, or the one with Kyverno in it, when the first test asks for it, and ends
/// it with the test run.
final class RealClusterExtension implements ParameterResolver {
  private static final Namespace STORE = Namespace.create(RealClusterExtension.class);
  private static final String KYVERNO_CLUSTER = "the cluster with Kyverno";
  private static final AtomicInteger TESTS = new AtomicInteger();

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    var type = parameter.getParameter().getType();
    return type == Sandbox.class || type == Kyverno.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    if (parameter.getParameter().getType() == Kyverno.class) {
      return kyverno(test);
    }
    return test.getStore(STORE)
        .computeIfAbsent(
            Sandbox.class, _ -> Sandbox.in(cluster(test), TESTS.incrementAndGet()), Sandbox.class);
  }

  private static TestCluster cluster(ExtensionContext test) {
    if (AnnotationSupport.isAnnotated(test.getRequiredTestClass(), RealKyverno.class)) {
      return kyverno(test).cluster();
    }
    return test.getStore(StoreScope.LAUNCHER_SESSION, STORE)
        .computeIfAbsent(
            TestCluster.class, _ -> TestCluster.start(ClusterAssets.find()), TestCluster.class);
  }

  /// In a cluster of its own, as it judges and watches everything in it.
  private static Kyverno kyverno(ExtensionContext test) {
    var session = test.getStore(StoreScope.LAUNCHER_SESSION, STORE);
    var cluster =
        session.computeIfAbsent(
            KYVERNO_CLUSTER, _ -> TestCluster.start(ClusterAssets.find()), TestCluster.class);
    return session.computeIfAbsent(
        Kyverno.class, _ -> Kyverno.start(cluster, KyvernoAssets.find()), Kyverno.class);
  }
}
