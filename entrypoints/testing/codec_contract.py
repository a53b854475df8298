"""What every ``Codec`` keeps."""

from tidings.ports.codec import Codec, Document

UNREADABLE = (
    b"",
    b"[]",
    b"null",
    b'"text"',
    b"{",
    b'{"a":1}x',
    b'{"a":1}{"a":1}',
    b'{"a":1,"a":1}',
    b'{"a":{"b":1,"b":2}}',
    b'{"a":NaN}',
    b'{"a":Infinity}',
    b'{"a":-Infinity}',
    b'{"a":1e999}',
    b'{"a":"\xff"}',
    b'{"a":"\\ud800"}',
    b'{"\\udfff":1}',
    b'\xef\xbb\xbf{"a":1}',
    b'\x0c{"a":1}',
    b'{"a":1}\xc2\xa0',
    b"{'a':1}",
    b'{"a":"line\nbreak"}',
    b'{"a":' + b"9" * 5000 + b"}",
    b'{"a":' + b"[" * 60_000 + b"]" * 60_000 + b"}",
)


class CodecContract:
    """Bind it by overriding ``make_codec``."""

    def make_codec(self) -> Codec:
        """A codec of the adapter under test."""
        raise NotImplementedError

    def test_what_goes_in_comes_out_in_its_order(self) -> None:
        codec = self.make_codec()
        document: Document = {
            "z": None,
            "a": [1, True, 1.5, "ä\u2028\x1c\n"],
            "m": {"y": 2**63, "b": ""},
        }
        decoded = codec.decode(codec.encode(document))
        assert decoded == document
        assert list(decoded) == ["z", "a", "m"]

    def test_one_line_without_spaces(self) -> None:
        assert self.make_codec().encode({"a": ["x\n", 1]}) == b'{"a":["x\\n",1]}'

    def test_text_is_written_as_utf8(self) -> None:
        assert self.make_codec().encode({"a": "ä🦊"}) == '{"a":"ä🦊"}'.encode()

    def test_values_that_json_lacks_are_refused(self) -> None:
        import pytest

        for value in (float("nan"), float("inf"), "\ud800"):
            with pytest.raises(ValueError, match=r"."):
                self.make_codec().encode({"a": value})

    def test_everything_else_is_unreadable(self) -> None:
        import pytest

        from tidings.ports.codec import DocumentUnreadable

        for data in UNREADABLE:
            with pytest.raises(DocumentUnreadable):
                self.make_codec().decode(data)

    def test_an_error_never_quotes_the_text(self) -> None:
        import pytest

        from tidings.ports.codec import DocumentUnreadable

        with pytest.raises(DocumentUnreadable) as caught:
            self.make_codec().decode(b'{"token":"hunter2"')
        assert "hunter2" not in str(caught.value)
