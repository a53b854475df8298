"""What every test shares: a ``@case:S15`` tag on a scenario becomes a case mark."""

import pytest

from support.case_tags import pytest_bdd_apply_tag

__all__ = ["pytest_bdd_apply_tag"]

pytest.register_assert_rewrite("steps")
