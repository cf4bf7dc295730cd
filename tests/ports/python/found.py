"""Replays the findings of the queue in the folder $FRNG_FOUND, by pytest or by unittest."""

import importlib.util
import os
import pathlib
import sys
import unittest

from frng import findings


def load(path):
    """The module in a file, under a name that no module of Python has."""
    spec = importlib.util.spec_from_file_location("a_queue", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


QUEUE = load(pathlib.Path(findings.__file__).parent.with_name("byte_queue.py"))
FOUND = pathlib.Path(os.environ["FRNG_FOUND"])

if "pytest" in sys.modules:
    test_found = findings.pytest_findings(QUEUE.test, FOUND)
else:
    class Found(unittest.TestCase):
        def test_found(self):
            if not FOUND.exists(): # as pytest says of no cases
                self.skipTest("no findings")
            for path in sorted(FOUND.glob("*.json")):
                with self.subTest(findings.name_of(path)):
                    findings.replay(QUEUE.test, path)
