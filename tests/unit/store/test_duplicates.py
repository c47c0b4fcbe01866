from thresher.store.duplicates import fingerprint
from thresher.testing.store_contract import answered


def test_a_page_off_topic_is_no_harvest_and_needs_no_fingerprint():
    text = " ".join(f"word{number}" for number in range(100))
    assert fingerprint(answered(1, text)) is not None
    assert fingerprint(answered(1, text, relevant=False)) is None
