"""The codec suite, bound to the one codec."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tidings.adapters.wire.json_codec import JsonCodec
from tidings.entrypoints.testing.codec_contract import CodecContract
from tidings.ports.codec import Value

plain_text = st.text(st.characters(exclude_categories=["Cs"]))
values: st.SearchStrategy[Value] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | plain_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(plain_text, inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


class TestJsonCodec(CodecContract):
    def make_codec(self) -> JsonCodec:
        return JsonCodec()


@settings(max_examples=50)
@given(st.dictionaries(plain_text, values, max_size=4))
def test_every_document_survives_the_way_there_and_back(document: dict[str, Value]) -> None:
    data = JsonCodec().encode(document)
    assert JsonCodec().decode(data) == document
    assert b"\n" not in data
