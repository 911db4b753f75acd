package dev.policysync.remote.http;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The hosts that are reached without a proxy: those in `NO_PROXY`, and always loopback.
///
/// An entry is `*` (everything), `corp` (that host and all below it), `.corp` or `*.corp` (all
/// below it), an address (`10.0.0.1`, `fd00::1`) or a range (`10.0.0.0/8`, `fd00::/8`). Hosts and
/// addresses may have a port (`corp:8443`, `[fd00::1]:8443`) and then match that port only.
/// Addresses and ranges match only a URL that contains an address: host names are not resolved for
/// them.
record NoProxy(List<Entry> entries) {
  private static final Logger log = LoggerFactory.getLogger(NoProxy.class);

  NoProxy {
    entries = List.copyOf(entries);
  }

  /// Parses a list. An invalid entry is skipped with a warning, and the others still count. The
  /// warning does not show the entry, because it may be a secret that was meant for another
  /// variable.
  static NoProxy parse(String list) {
    var entries = new ArrayList<Entry>();
    for (var part : list.replace(' ', ',').split(",", 0)) {
      var text = part.strip().toLowerCase(Locale.ROOT);
      if (text.isEmpty()) {
        continue;
      }
      var entry = entry(text);
      if (entry == null) {
        log.atWarn()
            .addKeyValue(
                "reason",
                "an entry of " + text.length() + " characters is not a host, address or CIDR range")
            .log("NO_PROXY entry ignored");
      } else {
        entries.add(entry);
      }
    }
    return new NoProxy(entries);
  }

  boolean covers(String host, int port) {
    var name = withoutBrackets(host.toLowerCase(Locale.ROOT));
    if (name.endsWith(".")) {
      name = name.substring(0, name.length() - 1);
    }
    var address = address(name);
    if (name.equals("localhost") || (address != null && address.isLoopbackAddress())) {
      return true;
    }
    for (var entry : entries) {
      if (entry.covers(name, address, port)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Entry entry(String text) {
    if (text.equals("*")) {
      return new Everything();
    }
    var slash = text.indexOf('/');
    if (slash >= 0) {
      var base = address(text.substring(0, slash));
      var bits = number(text.substring(slash + 1));
      return base == null || bits < 0 || bits > 8 * base.getAddress().length
          ? null
          : new Range(base, bits, Port.ANY);
    }
    var plain = address(withoutBrackets(text));
    if (plain != null) {
      return new Range(plain, 8 * plain.getAddress().length, Port.ANY);
    }
    var colon = text.lastIndexOf(':');
    if (colon < 0) {
      return domain(text, Port.ANY);
    }
    var port = number(text.substring(colon + 1));
    var host = withoutBrackets(text.substring(0, colon));
    if (port < 0 || host.isEmpty()) {
      return null;
    }
    var address = address(host);
    return address == null
        ? domain(host, new Port(port))
        : new Range(address, 8 * address.getAddress().length, new Port(port));
  }

  private static Entry domain(String host, Port port) {
    var below = host.startsWith("*.") ? host.substring(1) : host;
    return below.startsWith(".")
        ? new Domain(below, "", port)
        : new Domain("." + below, below, port);
  }

  private static String withoutBrackets(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private static @Nullable InetAddress address(String text) {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  private static int number(String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException _) {
      return -1;
    }
  }

  sealed interface Entry {
    boolean covers(String name, @Nullable InetAddress address, int port);
  }

  /// The port that an entry matches, or any port.
  private record Port(int number) {
    private static final Port ANY = new Port(-1);

    boolean covers(int port) {
      return number < 0 || number == port;
    }
  }

  private record Everything() implements Entry {
    @Override
    public boolean covers(String name, @Nullable InetAddress address, int port) {
      return true;
    }
  }

  /// @param below the suffix of the domain's subdomains: `.corp`
  /// @param itself the domain's own name if the entry matches it, too; otherwise empty
  private record Domain(String below, String itself, Port port) implements Entry {
    @Override
    public boolean covers(String name, @Nullable InetAddress address, int asked) {
      return port.covers(asked) && (name.equals(itself) || name.endsWith(below));
    }
  }

  private record Range(InetAddress base, int bits, Port port) implements Entry {
    @Override
    public boolean covers(String name, @Nullable InetAddress address, int asked) {
      if (address == null || !port.covers(asked)) {
        return false;
      }
      var wanted = base.getAddress();
      var actual = address.getAddress();
      if (wanted.length != actual.length) {
        return false;
      }
      for (var bit = 0; bit < bits; bit += 8) {
        var mask = bits - bit >= 8 ? 0xFF : 0xFF << (8 - (bits - bit)) & 0xFF;
        if (((wanted[bit / 8] ^ actual[bit / 8]) & mask) != 0) {
          return false;
        }
      }
      return true;
    }
  }
}
