"""Does an encoder keep its promises? For those who bring embeddings of their own to the judge `meaning`."""

from collections.abc import Callable

import numpy as np

from thresher.ports import Encoder

_TEXTS = ("the iris of the eye", "a garden of irises", "bread", "आँखों की बीमारियाँ", "eye " * 5000, "\u0000\u200b", "")
_CLOSE = 1e-4


def check_encoder(make: Callable[[], Encoder]) -> None:
    """Raise AssertionError with a sentence, if an encoder breaks a promise. `make` gives a new one at each call."""
    encoder = make()
    rows = np.asarray(encoder.encode(_TEXTS))
    assert rows.ndim == 2, f"{rows.ndim} dimensions, not a row for each text"
    assert len(rows) == len(_TEXTS), f"{len(rows)} rows for {len(_TEXTS)} texts"
    assert np.isfinite(rows).all(), "a text has a vector with a number that is not finite"
    alone = np.concatenate([np.asarray(encoder.encode([text])) for text in _TEXTS])
    assert np.allclose(rows, alone, atol=_CLOSE), "a text has another vector when it is encoded alone"
    assert np.allclose(rows, np.asarray(make().encode(_TEXTS)), atol=_CLOSE), (
        "another encoder of the same making differs"
    )
    assert not np.allclose(rows[0], rows[2], atol=_CLOSE), "different texts have the same vector"
