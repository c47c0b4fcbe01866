"""A process that asks hosts as a hand does, step by step: `python -m tests.unit.hands.neighbour DESCRIPTOR`.

It is told one step a line, such as `begin a.test 0.3`, and answers each with a number.
"""

import asyncio
import sys

from thresher.hands import HostPlaces
from thresher.model import Host


async def guest(places, host, pause, seconds):
    """Be a guest for so many seconds; one answer comes when it is there, and another when it has left."""
    async with places.turn(host, pause) as wait:
        print(wait, flush=True)
        await asyncio.sleep(seconds)
    print(0.0, flush=True)


def main():
    places = HostPlaces(int(sys.argv[1]))
    for line in sys.stdin:
        step, host, *numbers = line.split()
        if step == "guest":
            asyncio.run(guest(places, Host(host), *map(float, numbers)))
        else:
            print(getattr(places, step)(Host(host), *map(float, numbers)) or 0.0, flush=True)


if __name__ == "__main__":
    main()
