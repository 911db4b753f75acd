package dev.policysync.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.policy.Digest;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Values: numbers as Go writes them, fields in their order.
class ValueTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, -0",
    "1, 1",
    "0.1, 0.1",
    "100, 100",
    "1e20, 100000000000000000000",
    "1e21, 1e+21",
    "-1.5e300, -1.5e+300",
    "1e-6, 0.000001",
    "9.5e-7, 9.5e-7",
    "5e-324, 5e-324",
    "1e-323, 1e-323",
    "2e23, 2e+23",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "123456789012345680, 123456789012345680"
  })
  void numberHasTheLiteralThatGoWrites(double number, String literal) {
    assertThat(Value.Numeric.of(number).literal()).isEqualTo(literal);
  }

  @Test
  void wholeNumberIsExact() {
    assertThat(Value.Numeric.of(Long.MIN_VALUE).literal()).isEqualTo("-9223372036854775808");
    assertThat(Value.Numeric.of(new BigInteger("18446744073709551615")).literal())
        .isEqualTo("18446744073709551615");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16, 17, 100})
  void mappingOfAnySizeKeepsItsOrderAndCannotChange(int size) {
    var fields = new LinkedHashMap<String, Value>();
    for (int i = size; i > 0; i--) {
      fields.put("field-" + i, new Value.Numeric("" + i));
    }

    var mapping = new Value.Mapping(fields);

    assertThat(mapping.fields()).containsExactlyEntriesOf(fields).hasSize(size);
    assertThat(mapping.fields()).hasSameHashCodeAs(fields).doesNotContainKey("other");
    assertThatThrownBy(() -> mapping.fields().put("a", Value.Null.NULL))
        .isInstanceOf(UnsupportedOperationException.class);
    fields.put("later", Value.Null.NULL);
    assertThat(mapping.fields()).hasSize(size);
  }

  @Test
  void orderMakesNoDifferenceToEqualityAndDigest() {
    var one = new Value.Text("1");
    var ab = Value.Mapping.EMPTY.with("a", one).with("b", one);
    var ba = Value.Mapping.EMPTY.with("b", one).with("a", one);

    assertThat(ab).isEqualTo(ba).hasSameHashCodeAs(ba);
    assertThat(Digest.of(ab)).isEqualTo(Digest.of(ba));
  }

  @Test
  void nullFieldIsAsGoodAsNone() {
    var mapping = new Value.Mapping(Map.of("a", Value.Null.NULL));

    assertThat(mapping.field("a")).isEmpty();
    assertThat(mapping.without("a")).isEqualTo(Value.Mapping.EMPTY);
  }

  @Test
  void listIsReadByWhatItsItemsAre() {
    var text = new Value.Text("a");
    var object = Value.Mapping.EMPTY.with("b", text);
    var mapping =
        Value.Mapping.EMPTY.with(
            "list", new Value.Sequence(List.of(text, object, Value.Null.NULL)));

    assertThat(mapping.texts("list")).containsExactly("a");
    assertThat(mapping.mappings("list")).containsExactly(object);
    assertThat(mapping.mappings("none")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sha256:",
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
        "sha256:2CF24DBA5FB0A30E26E83B2AC5B9E29E1B161E5C1FA7425E73043362938B9824",
        "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b98"
      })
  void refusesWhatIsNoDigest(String text) {
    assertThatThrownBy(() -> new Digest(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void digestOfBytesIsWhatSha256sumPrints() {
    assertThat(Digest.of(new byte[] {'h', 'e', 'l', 'l', 'o'}).text())
        .isEqualTo("sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
  }
}
