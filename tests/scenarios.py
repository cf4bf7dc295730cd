"""scenarios.py FILE [OPTION of unittest]...: run the scenarios of a file, such as `-v -k signal`.

Its folder, tests/cli and tests/ports are on the path. FRNG_PART and FRNG_LONG choose some: frng.load_tests
of tests/cli. SPDX-License-Identifier: MIT
"""

import importlib
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
FILE = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path[:1] = [str(FILE.parent), str(HERE / "cli"), str(HERE / "ports")]
module = importlib.import_module(FILE.stem)
frng = sys.modules.get("frng")
if hasattr(frng, "load_tests"):
    module.load_tests = frng.load_tests
unittest.main(module, argv=[FILE.name, *sys.argv[1:]])
