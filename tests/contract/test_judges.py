"""Every installed judge keeps the promises of the port."""

import pytest

from thresher import plugins
from thresher.language.extras import extra
from thresher.testing import iris
from thresher.testing.strategy import check_judge


@pytest.mark.parametrize("name", plugins.names("judge"))
def test_it_keeps_the_promises_of_a_judge(name):
    given = iris.needs(iris.web())
    if name == "meaning" and extra("wordllama") is None:
        pytest.skip("needs pip install 'thresher[meaning]'")
    check_judge(lambda: plugins.build("judge", name, {}, **given))
