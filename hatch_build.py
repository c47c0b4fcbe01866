"""Compiles the modules that a crawl spends most of its time in, with mypyc, into the wheel: the same code, faster.

They lie in the wheel beside their Python files, and Python prefers them. With them come the loops of `native/`, by Cython. Where
there is no C compiler, where compiling fails, or where `THRESHER_PURE` is set, the wheel is pure Python, and one line says so. An editable
install (`pip install -e .`) stays pure, so that an edit counts at once; with `THRESHER_COMPILE=1` it is compiled in place, and an edit of a
compiled module counts when it is installed again.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # this file also runs by itself, to compile
    BuildHookInterface = object

SOURCE = Path(__file__).parent / "src"
# Left out: modules that leave the work to numpy, and classes that others may subclass or copy, which compiled classes do not allow.
COMPILED = """
    urls
    parse/elements parse/encoding parse/flat_tree parse/html parse/layout parse/metadata parse/text parse/walk
    warc/format
"""
# Loops that no compiler makes fast from Python as it is written: in `native/`, with twins in Python.
LOOPS = ("native/inner_loops", "native/link_loops", "native/tree_loops")
# Not any version: each knows its own tricks, and the tests have seen this one.
REQUIRED = ["mypy>=2.4,<2.5", "cython>=3.1,<4", "setuptools>=77"]
_LIBRARY = "thresher_compiled"
_SUFFIX = sysconfig.get_config_var("EXT_SUFFIX") or ".so"


class CompileHook(BuildHookInterface):
    """Adds the compiled modules to a wheel, or puts them beside their sources."""

    def dependencies(self) -> list[str]:
        """What compiling needs. Hatchling does not tell here whether the wheel is an editable one."""
        return [] if _unwanted() or _missing() else REQUIRED

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, before the wheel is put together."""
        editable = version == "editable"
        if editable:
            for place in compiled_places():
                (SOURCE / place).unlink(missing_ok=True)
        if _unwanted() or (editable and not os.environ.get("THRESHER_COMPILE")):
            return
        self._folder = Path(tempfile.mkdtemp(prefix="thresher-compile-"))
        if trouble := _missing() or compiled_into(self._folder):
            self.app.display_warning(f"thresher is installed as pure Python, which is slower: {trouble}")
        elif editable:
            for place in compiled_places():
                shutil.copy(self._folder / place, SOURCE / place)
        else:
            build_data.update(pure_python=False, infer_tag=True)
            build_data["force_include"].update({str(self._folder / place): place for place in compiled_places()})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's own
        """Clear up."""
        if folder := getattr(self, "_folder", None):
            shutil.rmtree(folder, ignore_errors=True)


def compiled_places() -> list[str]:
    """The compiled modules, and the library that they share, in the folder of the packages."""
    names = [f"thresher/{name}" for name in COMPILED.split()]
    return [f"{name}{_SUFFIX}" for name in [*names, *(f"thresher/{name}" for name in LOOPS), f"{_LIBRARY}__mypyc"]]


def compiled_into(folder: Path) -> str:
    """Compile into a folder; returns what went wrong, in one line, or nothing."""
    # A process of its own: mypyc ends the one it is in when it finds an error.
    run = subprocess.run(  # noqa: S603 - this very file
        [sys.executable, __file__, str(folder)],
        cwd=SOURCE,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode == 0 and all((folder / place).exists() for place in compiled_places()):
        return ""
    said = [line for line in (run.stdout + run.stderr).splitlines() if line.strip() and "warning:" not in line]
    return f"compiling failed ({said[-1][:200] if said else f'exit code {run.returncode}'})"


def compile_modules(folder: Path) -> None:
    """Compile, in the folder of the sources."""
    from Cython.Build import cythonize  # noqa: PLC0415 - only this process needs it
    from mypyc.build import mypycify  # noqa: PLC0415
    from setuptools import Distribution, Extension  # noqa: PLC0415

    # Types of other packages are not asked for, so that it makes no difference which of them are installed.
    options = [
        "--config-file=",
        "--no-site-packages",
        "--ignore-missing-imports",
        "--follow-imports=silent",
    ]
    extensions = mypycify(
        [
            *options,
            f"--cache-dir={folder / 'cache'}",
            *(f"thresher/{name}.py" for name in COMPILED.split()),
        ],
        opt_level="2",
        debug_level="0",
        group_name=_LIBRARY,
        target_dir=str(folder / "c"),
    )
    # Many bytes at a time, as only the highest level does with some compilers.
    loops = [
        Extension(f"thresher.{name.replace('/', '.')}", [f"thresher/{name}.pyx"], extra_compile_args=["-O3"])
        for name in LOOPS
    ]
    extensions += cythonize(loops, build_dir=str(folder / "c"), quiet=True)
    build = Distribution({"name": "thresher", "ext_modules": extensions}).get_command_obj("build_ext")
    build.build_lib, build.build_temp = str(folder), str(folder / "o")
    build.ensure_finalized()
    build.run()


def _unwanted() -> bool:
    return bool(os.environ.get("THRESHER_PURE"))


def _missing() -> str:
    named = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return "" if shutil.which(named.split()[0]) else "there is no C compiler"


if __name__ == "__main__":
    compile_modules(Path(sys.argv[1]))
