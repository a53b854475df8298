"""What every ``Settings`` keeps."""

from tidings.ports.codec import Document
from tidings.ports.settings import Settings, SettingsAbsent, SettingsRead, SettingsWrong

YES: Document = {"push": {"auto_arm": True}}
NO: Document = {"push": {"auto_arm": False}}


class SettingsContract:
    """Bind it by overriding ``make_settings`` and what a person does to the files.

    ``top`` is an absolute folder in which nothing is written but by this suite.
    """

    top = "/top"

    def make_settings(self) -> Settings:
        """The adapter under test; every call of one test looks at the same files."""
        raise NotImplementedError

    def write_repository(self, folder: str, document: Document) -> None:
        """Writes the file of ``folder``, which is ``top`` or below it."""
        raise NotImplementedError

    def write_personal(self, document: Document) -> None:
        """Writes the user's file."""
        raise NotImplementedError

    def spoil_repository(self, folder: str) -> None:
        """Puts something in its place that is no TOML."""
        raise NotImplementedError

    def spoil_personal(self) -> None:
        """Puts something in the user's file's place that is no TOML."""
        raise NotImplementedError

    def test_nothing_is_there_at_first(self) -> None:
        settings = self.make_settings()
        assert settings.personal() == SettingsAbsent()
        assert settings.repository(f"{self.top}/a/b") == SettingsAbsent()
        assert settings.repository("") == SettingsAbsent()

    def test_the_nearest_file_upward_counts(self) -> None:
        self.write_repository(self.top, YES)
        settings = self.make_settings()
        for folder in (self.top, f"{self.top}/a/b"):
            fact = settings.repository(folder)
            assert isinstance(fact, SettingsRead)
            assert (fact.document, fact.path) == (YES, f"{self.top}/.tidings.toml")
        self.write_repository(f"{self.top}/a", NO)
        nearer = settings.repository(f"{self.top}/a/b")
        assert isinstance(nearer, SettingsRead)
        assert nearer.document == NO

    def test_one_that_cannot_be_read_hides_the_one_above(self) -> None:
        self.write_repository(self.top, YES)
        self.spoil_repository(f"{self.top}/a")
        fact = self.make_settings().repository(f"{self.top}/a/b")
        assert isinstance(fact, SettingsWrong)
        assert fact.path == f"{self.top}/a/.tidings.toml"
        assert fact.why

    def test_the_digest_is_of_the_content(self) -> None:
        digests: list[str] = []
        for folder, document in ((self.top, YES), (f"{self.top}/a", YES), (f"{self.top}/a", NO)):
            self.write_repository(folder, document)
            fact = self.make_settings().repository(folder)
            assert isinstance(fact, SettingsRead)
            digests.append(fact.digest)
        assert digests[0] == digests[1] != digests[2]

    def test_the_users_own_file(self) -> None:
        self.write_personal(NO)
        fact = self.make_settings().personal()
        assert isinstance(fact, SettingsRead)
        assert fact.document == NO
        self.spoil_personal()
        assert isinstance(self.make_settings().personal(), SettingsWrong)
