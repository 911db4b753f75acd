package dev.policysync.report.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;

/// Scripts that judge how accessible a page is.
final class Axe {
  /// axe-core itself (<https://github.com/dequelabs/axe-core>), as it comes with its jar.
  static final String SCRIPT = read();

  /// Answers with what violates its rules, those of best practice among them; empty if nothing
  /// does.
  static final String RUN =
      """

      const answer = arguments[arguments.length - 1];
      axe.run(document).then(({ violations }) => answer(violations
        .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(node => node.html).join(' ')}`)
        .join('\\n')), error => answer(String(error)));
      """;

  /// Answers with the lowest contrast of a text and what is behind it.
  static final String CONTRAST =
      """
      const rgba = text => text.match(/[0-9.]+/g).map(Number);
      const light = ([r, g, b]) => [r, g, b]
        .map(part => part / 255)
        .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
      const behind = element => {
        for (let at = element; at !== null; at = at.parentElement) {
          const colour = rgba(getComputedStyle(at).backgroundColor);
          if (colour.length === 3 || colour[3] === 1) {
            return colour;
          }
        }
        throw new Error('nothing is behind ' + element.outerHTML);
      };
      const contrasts = [...document.body.querySelectorAll('*')]
        .filter(element => element.checkVisibility() && !['SCRIPT', 'OPTION'].includes(element.tagName))
        .filter(element => [...element.childNodes]
          .some(node => node.nodeType === Node.TEXT_NODE && node.data.trim() !== ''))
        .map(element => {
          const [one, other] = [light(rgba(getComputedStyle(element).color)), light(behind(element))];
          return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        });
      return contrasts.length > 100 ? Math.min(...contrasts) : 0;
      """;

  private Axe() {}

  private static String read() {
    try (var stream = Axe.class.getResourceAsStream("/axe.min.js")) {
      if (stream == null) {
        throw new IllegalStateException("axe.min.js is not on the class path");
      }
      return new String(stream.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
