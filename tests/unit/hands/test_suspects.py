"""Who is asked for alone, and who is found guilty."""

import asyncio

from thresher.hands.suspects import Suspects


async def test_a_suspect_is_asked_for_alone():
    suspects, log = Suspects(), []

    async def ask(url, seconds):
        async with suspects.turn(url):
            log.append(url)
            await asyncio.sleep(seconds)
            log.append(url)

    suspects.accuse(["suspect", "another"])
    first = asyncio.ensure_future(ask("fresh", 0.1))
    await asyncio.sleep(0.02)
    await asyncio.gather(first, ask("suspect", 0.05), ask("another", 0.05), ask("later", 0.01), ask("latest", 0.01))
    assert log[:6] == ["fresh", "fresh", "suspect", "suspect", "another", "another"]
    assert log[6:8] == ["later", "latest"], "what nobody suspects is asked for side by side"


async def test_a_suspect_whose_hand_came_through_is_like_any_other():
    suspects = Suspects()
    suspects.accuse(["a"])
    suspects.acquit("a")
    async with asyncio.timeout(5), suspects.turn("a"), suspects.turn("b"):
        pass  # at the same time
    assert [suspects.accuse(["a"]) for _ in range(3)] == [set(), set(), {"a"}], "what was held against it is forgotten"


def test_the_third_loss_is_guilt_and_then_it_begins_anew():
    suspects = Suspects()
    assert [suspects.accuse(["a"]) for _ in range(4)] == [set(), set(), {"a"}, set()]
