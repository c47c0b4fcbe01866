"""Many grown inputs for every reader of what strangers write, and the slowest of each: python benchmarks/growth_fuzz.py

An input is made of up to three pieces, each of up to four constructs of the format, and each repeated or not, of 1 to 16 KB in all
(`tests/growth`). The same seed makes the same inputs. Slow is what takes more than 2 ms a KB: at that rate the largest page that is
fetched, 5 MB, would take 10 s, which is when a hand is killed. What seems slow is measured again, and the best of three counts.
"""

import argparse
import random
import statistics
import sys
import tempfile
import time
import zlib
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.growth.growing import Reader, Recipe, cost
from tests.growth.readers import READERS

SLOW = 2_000.0
"""µs a KB."""
SIZES = (1, 1, 1, 2, 2, 4, 8, 16)
"""KB; the small ones more often, so that there can be more of them."""
MEMORY = "/dev/shm"
"""Where files need no disk, on Linux."""


class Measured(NamedTuple):
    """What an input took."""

    micros: float
    """For each KB, each time that it is read."""
    size: int
    recipe: Recipe | None


def main() -> None:
    arguments = _arguments()
    print(f"{'reader':12} {'inputs':>8} {'slow':>5} {'median':>8} {'slowest':>8} µs/KB   the slowest input")
    slow = 0
    for name in arguments.readers or READERS:
        began = time.perf_counter()
        found, slowest = fuzzed(name, arguments.inputs, arguments.seed)
        slow += (few := sum(micros > SLOW for micros in found))
        made = f"{slowest.size:,} bytes: {str(slowest.recipe)[:150]}"
        seconds = time.perf_counter() - began
        print(
            f"{name:12} {len(found):8,} {few:5} {statistics.median(found):8.0f} {slowest.micros:8.0f}         {made}  ({seconds:.0f} s)",
            flush=True,
        )
    print(f"slow: {slow}")


def fuzzed(name: str, inputs: int, seed: int) -> tuple[list[float], Measured]:
    """What each input of a reader took, and the slowest."""
    reader, chance = READERS[name], random.Random(zlib.crc32(name.encode()) ^ seed)
    found, slowest = [], Measured(0.0, 0, None)
    with tempfile.TemporaryDirectory(dir=MEMORY if Path(MEMORY).is_dir() else None) as folder:
        for _ in range(inputs):
            recipe = reader.constructs.random(chance)
            measured = _measured(reader, recipe, recipe.grown(chance.choice(SIZES) << 10), Path(folder), slowest)
            found.append(measured.micros)
            slowest = max(slowest, measured, key=lambda each: each.micros)
    return found, slowest


def _measured(reader: Reader, recipe: Recipe, content: bytes, folder: Path, slowest: Measured) -> Measured:
    size = max(len(content), 1 << 10)
    scale = 1e6 * (1 << 10) / size / reader.readings
    micros = scale * cost(reader, content, folder)
    if micros > min(SLOW, max(slowest.micros, 100.0)):
        micros = min(micros, scale * cost(reader, content, folder, 3))
    return Measured(micros, size, recipe)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"all without: {', '.join(READERS)}")
    parser.add_argument("--inputs", type=int, default=100_000, help="for each reader")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--smoke", action="store_true", help="a hundred inputs for each")
    arguments = parser.parse_args()
    arguments.inputs = 100 if arguments.smoke else arguments.inputs
    return arguments


if __name__ == "__main__":
    main()
