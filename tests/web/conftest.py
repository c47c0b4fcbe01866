import pytest

from .rude import RudeWeb


@pytest.fixture
async def rude_web():
    async with RudeWeb(beat=0.1) as web:
        yield web
