"""Event loops: the fastest that is installed, and one beside another, for code that is called from a notebook."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def fast_loop() -> Any:
    """What makes the event loop: uvloop if it is installed, else asyncio's own."""
    try:
        import uvloop  # noqa: PLC0415 - not there on Windows
    except ImportError:
        return None
    return uvloop.new_event_loop


def run_to_end(work: Coroutine[Any, Any, Result]) -> Result:
    """What a coroutine returns. Where a loop runs already, as in a notebook, it gets a thread with a loop of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as other:
        return other.submit(asyncio.run, work).result()
