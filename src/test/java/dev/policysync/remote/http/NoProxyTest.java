package dev.policysync.remote.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoProxyTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*                     | insights.example   | 443",
        "insights.example      | insights.example   | 443",
        "Insights.Example      | INSIGHTS.example.  | 443",
        "example               | insights.example   | 443",
        ".example              | insights.example   | 443",
        "*.example             | a.b.example        | 443",
        "a,b , insights.example| insights.example   | 443",
        "a b insights.example  | insights.example   | 443",
        "insights.example:8443 | insights.example   | 8443",
        ".example:8443         | insights.example   | 8443",
        "10.1.2.3              | 10.1.2.3           | 443",
        "10.1.2.3:8443         | 10.1.2.3           | 8443",
        "10.0.0.0/8            | 10.255.0.1         | 443",
        "10.1.2.4/30           | 10.1.2.7           | 443",
        "10.1.2.3/32           | 10.1.2.3           | 443",
        "0.0.0.0/0             | 203.0.113.9        | 443",
        "fd00::1               | [fd00::1]          | 443",
        "[fd00::1]             | [fd00:0::1]        | 443",
        "[fd00::1]:8443        | [fd00::1]          | 8443",
        "fd00::/9              | [fd7f::1]          | 443",
        "10.0.0.0/8            | [::ffff:10.1.1.1]  | 443",
      })
  void covers(String list, String host, int port) {
    assertThat(NoProxy.parse(list).covers(host, port)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                    | insights.example   | 443",
        "xample                | insights.example   | 443",
        ".insights.example     | insights.example   | 443",
        "*.insights.example    | insights.example   | 443",
        "insights.example      | example            | 443",
        "insights.example:8443 | insights.example   | 443",
        "10.1.2.3              | 10.1.2.30          | 443",
        "10.1.2.3:8443         | 10.1.2.3           | 443",
        "10.0.0.0/8            | 11.0.0.1           | 443",
        "10.1.2.4/30           | 10.1.2.8           | 443",
        "10.0.0.0/8            | [fd00::1]          | 443",
        "fd00::/9              | [fd80::1]          | 443",
        "0.0.0.0/0             | insights.example   | 443",
      })
  void leavesToTheProxy(String list, String host, int port) {
    assertThat(NoProxy.parse(list).covers(host, port)).isFalse();
  }

  @Test
  void warnsOfAnEntryThatMakesNoSenseAndKeepsTheOthers() {
    try (var log = LogLines.capture()) {
      var rules = NoProxy.parse("10.0.0.0/33,corp/8,corp:x,:80,corp");

      assertThat(rules.entries()).hasSize(1);
      assertThat(rules.covers("a.corp", 443)).isTrue();
      assertThat(log.all())
          .containsExactly(
              "WARN NO_PROXY entry ignored reason=an entry of 11 characters is not a host,"
                  + " address or CIDR range",
              "WARN NO_PROXY entry ignored reason=an entry of 6 characters is not a host,"
                  + " address or CIDR range",
              "WARN NO_PROXY entry ignored reason=an entry of 6 characters is not a host,"
                  + " address or CIDR range",
              "WARN NO_PROXY entry ignored reason=an entry of 3 characters is not a host,"
                  + " address or CIDR range");
    }
  }
}
