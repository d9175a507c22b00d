"""A pack as one file: written from a folder, checked as untrusted input, and read like a folder.

It is a zip file with the files of the pack and `MANIFEST.json`: format, id, versions, digest, and the
original definitions of the core. It is never extracted by name. Every file is read into memory within the
ceilings and checked first.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ruleforge.support.ceilings import CEILINGS
from ruleforge.support.disk_cache import cache_folder
from ruleforge.support.input_files import Unreadable, files_below, is_file, is_folder, read_bytes
from ruleforge.support.output_files import write_folder
from ruleforge.support.records import dataclass

SUFFIX = ".zip"
MANIFEST = "MANIFEST.json"
FORMAT = 1
SUFFIXES = (".yaml", ".yml", ".md", ".txt", "LICENSE")  # what belongs to a pack: nothing that runs
_DATE = (1980, 1, 1, 0, 0, 0)  # the same files give the same archive
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
_ID = re.compile(r"[a-z][a-z0-9_-]{0,99}")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")
_DEEP = 8


class NotAnArchive(Exception):
    """A file that is no archive of a pack, with the reason in words."""


@dataclass(frozen=True, slots=True)
class PackArchive:
    """The content of an archive. `manifest` is its checked description of itself."""

    id: str
    manifest: Mapping[str, Any]
    files: Mapping[str, str]

    @property
    def digest(self) -> str:
        return digest_of(self.files)

    @property
    def core(self) -> str:
        return str(self.manifest["core"]["id"])

    @property
    def definitions(self) -> Mapping[str, str]:
        """The digests of the definitions of the core with which it was packed."""
        return {str(path): str(digest) for path, digest in self.manifest["core"]["definitions"].items()}


def is_archive(path: Path) -> bool:
    return path.suffix == SUFFIX and is_file(path)


def files_of(folder: Path) -> dict[str, str]:
    """The files of a pack that belong into its archive. Raises Unreadable, also for links that leave the folder."""
    found: dict[str, str] = {}
    room = CEILINGS.bytes
    for file in files_below(folder, SUFFIXES):
        content = read_bytes(file, min(CEILINGS.file_bytes, room), folder)
        room -= len(content)
        name = file.relative_to(folder).as_posix()
        if why := _why_no_name(name):
            raise Unreadable(f"`{name}` {why}")
        found[name] = content.decode("utf-8")
    return found


def digest_of(files: Mapping[str, str]) -> str:
    """The digest of the names and contents of all files. It does not depend on the packing tool."""
    return hashlib.sha256(json.dumps(sorted(files.items())).encode()).hexdigest()


def archive_bytes(files: Mapping[str, str], manifest: Mapping[str, Any]) -> bytes:
    """The archive of these files: the same bytes for the same content."""
    manifest_data = {"format": FORMAT, **manifest, "digest": digest_of(files)}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in ((MANIFEST, json.dumps(manifest_data, indent=1) + "\n"), *sorted(files.items())):
            info = zipfile.ZipInfo(name, _DATE)
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(info, text.encode(), zipfile.ZIP_DEFLATED, 9)
    return target.getvalue()


def read_archive(path: Path) -> PackArchive:
    """Read and check an archive. Raises NotAnArchive."""
    try:
        return _read(read_bytes(path, CEILINGS.bytes))
    except Unreadable as problem:
        raise NotAnArchive(str(problem)) from None


@cache
def _read(data: bytes) -> PackArchive:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = _files(archive)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        NotImplementedError,
        RuntimeError,
        ValueError,
    ) as problem:
        raise NotAnArchive(f"it cannot be unpacked: {problem}") from None
    return _checked(files)


def _files(archive: zipfile.ZipFile) -> dict[str, str]:
    infos = archive.infolist()
    if len(infos) > CEILINGS.files:
        raise NotAnArchive(f"it holds {len(infos)} files, at most {CEILINGS.files} are read")
    found: dict[str, str] = {}
    room = CEILINGS.bytes
    for info in infos:
        if why := _why_left_out(info, found):
            raise NotAnArchive(f"`{info.filename}` {why}")
        with archive.open(info) as file:
            content = file.read(
                min(CEILINGS.file_bytes, room) + 1
            )  # what it says of its size is not believed
        room -= len(content)
        if len(content) > CEILINGS.file_bytes or room < 0:
            raise NotAnArchive(f"`{info.filename}` is too large, or all files together are")
        found[info.filename] = content.decode("utf-8")
    return found


def _why_left_out(info: zipfile.ZipInfo, found: Mapping[str, str]) -> str:
    mode = info.external_attr >> 16
    if info.flag_bits & 1:
        return "is encrypted"
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "is no plain file"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is compressed in another way than `deflate`"
    if info.filename.casefold() in {name.casefold() for name in found}:
        return "is there twice"
    return "" if info.filename == MANIFEST else _why_no_name(info.filename)


def _why_no_name(name: str) -> str:
    """Why a file of an archive cannot be called so; a path leads down, and means the same on every system."""
    parts = name.split("/")
    if not all(_PART.fullmatch(part) and not part.endswith(".") for part in parts):
        return "is no path of plain names inside the pack"
    if len(parts) > _DEEP or any(_RESERVED.fullmatch(part) for part in parts):
        return "is no path that every system has"
    return "" if name.endswith(SUFFIXES) else "is no file of a pack"


def _checked(files: dict[str, str]) -> PackArchive:
    try:
        manifest = json.loads(files.pop(MANIFEST))
        core = manifest["core"]
        words = (
            manifest["id"],
            manifest["version"],
            manifest["digest"],
            core["id"],
            core["versions"],
            core["version"],
        )
        fits = all(isinstance(word, str) for word in words) and isinstance(core["definitions"], dict)
    except (KeyError, ValueError, TypeError, RecursionError):
        raise NotAnArchive(f"it has no `{MANIFEST}` that can be read") from None
    if manifest["format"] != FORMAT:
        raise NotAnArchive(
            f"it has the format {manifest['format']}, this version of RuleForge reads {FORMAT}"
        )
    if not fits or not _ID.fullmatch(manifest["id"]) or not _ID.fullmatch(core["id"]):
        raise NotAnArchive(f"its `{MANIFEST}` lacks something")
    found = PackArchive(manifest["id"], manifest, files)
    if manifest["digest"] != found.digest:
        raise NotAnArchive("its files are not those of its digest: it is damaged, or somebody changed it")
    return found


def unpack(path: Path) -> Path:
    """The folder with the files of an archive, unpacked if needed. Raises NotAnArchive, OSError."""
    archive = read_archive(path)
    folder = _shelf() / archive.digest / archive.id
    if is_folder(folder) and not _has(folder, archive.files):
        shutil.rmtree(folder)  # it was changed
    if not is_folder(folder):
        try:
            write_folder(folder, archive.files)
        except OSError:
            if not _has(folder, archive.files):  # unless another process was faster
                raise
    return folder


@cache
def _shelf() -> Path:
    """The folder in which archives are unpacked: the cache of the user, else a folder of this process."""
    cached = cache_folder()
    if cached is None:
        import atexit

        folder = tempfile.mkdtemp(prefix="ruleforge-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return Path(folder)
    cached.mkdir(parents=True, exist_ok=True, mode=0o700)
    (cached / "packs").mkdir(exist_ok=True, mode=0o700)
    return cached / "packs"


def _has(folder: Path, files: Mapping[str, str]) -> bool:
    """Whether a folder holds these files and no others."""
    try:
        return files_of(folder) == files
    except (Unreadable, ValueError):
        return False
