"""The label that a page had before its last one, so that the last one can be taken back."""

import json

from thresher.model import Url
from thresher.ports import Store
from thresher.store.labels import HandLabel

_BEFORE = "orders/label-before/"


def remember_before(store: Store, url: Url, label: HandLabel | None) -> None:
    """Remember the label that is about to be replaced; None if there is none."""
    store.remember(_BEFORE + url, b"" if label is None else json.dumps([label.relevant, label.at]).encode())


def label_before(store: Store, url: Url) -> HandLabel | None:
    """The label before the last one; None if there was none."""
    said = store.recall(_BEFORE + url)
    return HandLabel(url, *json.loads(said)) if said else None


def forget_before(store: Store, url: Url) -> None:
    """The last label was taken back: there is none before it any more."""
    store.remember(_BEFORE + url, b"")
