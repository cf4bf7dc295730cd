"""A check as a target of the tools: frng-search python3 -- -m frng test_sorts.py test_sort

    python -m frng FILE NAME        or FILE::NAME; NAME of a class: Class::test_sort

A test that needs fixtures starts within pytest, as each does with a third word, pytest, and options
of pytest behind it. SPDX: MIT"""

from __future__ import annotations

import importlib
import os
import re
import sys
from pathlib import Path

if __package__ in (None, ""):  # started as a folder
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from frng import runner, target
from frng.stateful import Machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


ALONE = {"dist": "no", "basetemp": None, "xmlpath": None, "log_file": os.devnull, "usepdb": False,
         "trace": False, "cacheclear": False}
# Plugins that end a test after a while, or make it in another process: here it is a target.
UNUSED = {"pytest_timeout", "pytest_forked"}


def load(file: str) -> Any:
    """Import a file as pytest does: by its name below the first folder that is no package."""
    path = Path(file).resolve()
    names, root = [path.stem], path.parent
    while (root / "__init__.py").exists():
        names.insert(0, root.name)
        root = root.parent
    sys.path.insert(0, str(root))
    return importlib.import_module(".".join(names))


def bad(line: str) -> NoReturn:
    target.refuse(f"python -m frng: {line}")


def find(module: Any, name: str) -> tuple[runner.Check, tuple[Any, ...]]:
    """Return the check of a name, and the arguments before its generator."""
    value = module
    owner: Any = None
    for part in re.split(r"::|\.", name):
        if not hasattr(value, part):
            bad(f"there is no {part} in {getattr(value, '__name__', value)}")
        owner, value = value, getattr(value, part)
    if isinstance(value, type) and issubclass(value, Machine):
        value = runner.check(value)
    if not isinstance(getattr(value, "frng_check", None), runner.Check):
        bad(f"{name} is no test of @frng.check")
    it: runner.Check = value.frng_check
    unittest = sys.modules.get("unittest")
    if it.is_method and unittest is not None and issubclass(owner, unittest.TestCase):
        within_unittest(owner(it.test.__name__), name)
    if hasattr(module, "setUpModule"):
        module.setUpModule()
    return it, (owner(),) if it.is_method else ()


def main() -> None:
    words = sys.argv[1:] if len(sys.argv) != 2 else sys.argv[1].split("::", 1)
    if len(words) < 2 or words[2:3] not in ([], ["pytest"]) or not os.path.isfile(words[0]):
        bad("FILE NAME, or FILE::NAME, of a test of @frng.check")
    file, name = words[:2]
    if "[" in name or words[2:]:
        within_pytest(file, name, words[3:])
    runner.loading = True
    try:
        module = load(file)
    except SystemExit:
        bad(f"{file} exits as it is loaded: put what it starts behind if __name__ == '__main__'")
    runner.loading = False
    it, arguments = find(module, name)
    if it.needs_pytest(arguments):
        within_pytest(file, name.replace(".", "::"), [])
    target.run(it.of(arguments, {}), target.can_fork())


def within_unittest(case: Any, name: str) -> NoReturn:
    import unittest

    runner.serving, result = name, unittest.TestResult()
    unittest.TestSuite([case]).run(result)  # with all setups
    for _, why in result.errors + result.failures:
        print(why, file=sys.stderr)
    bad(f"unittest has not called {name}")


def within_pytest(file: str, name: str, options: list[str]) -> NoReturn:
    import pytest

    test = f"{file}::{name}"

    class Alone:
        """Runs the test in this process, always, and writes no file of another pytest."""

        def pytest_cmdline_main(self, config: Any) -> None:  # before plugins are configured
            vars(config.option).update(ALONE)
            config.args[:] = [test]  # without those of addopts
            for plugin in config.pluginmanager.get_plugins():
                if getattr(plugin, "__name__", "") in UNUSED:
                    config.pluginmanager.unregister(plugin)

    runner.serving = name
    sys.path.append(os.getcwd())  # as `python -m pytest` has it, for plugins
    pytest.main([test, *options, "-qs"], plugins=[Alone()])
    bad(f"pytest has not called {name}")


if __name__ == "__main__":
    main()
