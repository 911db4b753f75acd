package dev.policysync.testcluster;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Starts the one cluster when the first test asks for it, and ends it with the test run.
final class RealClusterExtension implements ParameterResolver {
  private static final Namespace STORE = Namespace.create(RealClusterExtension.class);
  private static final AtomicInteger TESTS = new AtomicInteger();

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == Sandbox.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    return test.getStore(STORE)
        .computeIfAbsent(
            Sandbox.class, _ -> Sandbox.in(cluster(test), TESTS.incrementAndGet()), Sandbox.class);
  }

  private static TestCluster cluster(ExtensionContext test) {
    return test.getStore(StoreScope.LAUNCHER_SESSION, STORE)
        .computeIfAbsent(
            TestCluster.class, _ -> TestCluster.start(ClusterAssets.find()), TestCluster.class);
  }
}
