"""Builds the package for pip by Python alone, so that installing it needs no network. SPDX: MIT"""

from __future__ import annotations

import base64
import hashlib
import re
import tarfile
import zipfile
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HERE = Path(__file__).resolve().parent
SOURCES = [*sorted(HERE.glob("frng/*.py")), HERE / "frng" / "py.typed"]


def _found(pattern: str, name: str) -> str:
    found = re.search(pattern, (HERE / name).read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


NAME = f"frng-{_found('^__version__ = .(.*).$', 'frng/__init__.py')}"
TAG = "py3-none-any"


def _metadata() -> bytes:
    summary = _found('^description = "(.*)"', "pyproject.toml")
    needs = _found('^requires-python = "(.*)"', "pyproject.toml")
    head = (f"Metadata-Version: 2.1\nName: frng\nVersion: {NAME.partition('-')[2]}\nSummary: {summary}\n"
            f"License: MIT\nRequires-Python: {needs}\nDescription-Content-Type: text/markdown\n\n")
    return head.encode() + (HERE / "README.md").read_bytes()


def _wheel(folder: str, files: dict[str, bytes]) -> str:
    """Write a wheel of files, with those that describe it."""
    info, wheel, records = f"{NAME}.dist-info", f"{NAME}-{TAG}.whl", []
    files[f"{info}/METADATA"] = _metadata()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {TAG}\n".encode()
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        records.append(f"{name},sha256={digest},{len(data)}\n")
    files[f"{info}/RECORD"] = "".join([*records, f"{info}/RECORD,,\n"]).encode()
    with zipfile.ZipFile(Path(folder, wheel), "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)  # of 1980: the same bytes each time
    return wheel


def build_wheel(folder: str, settings: Any = None, metadata: Any = None) -> str:
    return _wheel(folder, {f"frng/{path.name}": path.read_bytes() for path in SOURCES})


def build_editable(folder: str, settings: Any = None, metadata: Any = None) -> str:
    return _wheel(folder, {"frng.pth": f"{HERE}\n".encode()})


def build_sdist(folder: str, settings: Any = None) -> str:
    others = [HERE / name for name in ("pyproject.toml", "README.md", "build_frng.py")]
    information = Path(folder, "PKG-INFO")
    information.write_bytes(_metadata())
    with tarfile.open(Path(folder, f"{NAME}.tar.gz"), "w:gz") as archive:
        for path in [*SOURCES, *others]:
            archive.add(path, f"{NAME}/{path.relative_to(HERE)}")
        archive.add(information, f"{NAME}/PKG-INFO")
    information.unlink()
    return f"{NAME}.tar.gz"
