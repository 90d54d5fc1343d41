"""The build backend (PEP 517) of the Python package: cmake builds the extension, this packs it. Nothing is downloaded.

The environment variable PAIKA_BUILD names a build folder that is there already; otherwise build/wheel is made. The wheel
depends on its inputs alone: the same extension gives the same bytes.
"""

import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip file knows


def _version():
    """The one of CMakeLists.txt."""
    return re.search(r"project\(paika VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def _project(key):
    return re.search(rf'^{key} = "(.*)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.M)[1]


def _metadata():
    lines = ["Metadata-Version: 2.1", "Name: paika", f"Version: {_version()}", f"Summary: {_project('description')}",
             f"Requires-Python: {_project('requires-python')}", "Requires-Dist: numpy>=1.20",
             "Description-Content-Type: text/markdown", ""]
    return "\n".join(lines) + "\n" + (ROOT / "docs/python.md").read_text(encoding="utf-8")


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _run(*command):
    subprocess.run(command, check=True, stdout=sys.stderr)


def _arch():
    """The instruction set, chosen as ./paika does: one that this processor has, or what PAIKA_ARCH says."""
    script = 'root=$1; . "$root/tools/launcher.sh"; cpu_arch'
    return subprocess.run(["sh", "-c", script, "sh", str(ROOT)], check=True, capture_output=True, text=True).stdout.strip()


def _build_folder():
    """A folder in which the extension is built."""
    given = os.environ.get("PAIKA_BUILD")
    folder = pathlib.Path(given) if given else ROOT / "build/wheel"
    if not given:
        _run("cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
             "-DPAIKA_TESTS=OFF", "-DPAIKA_BENCH=OFF", "-DPAIKA_TUNE=OFF", "-DPAIKA_CUDA=OFF", "-DPAIKA_UNITY=ON",
             "-DPAIKA_PCH=ON", "-DPAIKA_WERROR=OFF", f"-DPYTHON_EXECUTABLE={sys.executable}",
             f"-DPAIKA_ARCH={_arch()}",
             f"-DCMAKE_CXX_FLAGS=-ffile-prefix-map='{ROOT}'=. {os.environ.get('CXXFLAGS', '')}")
    _run("cmake", "--build", str(folder), "--target", "paika_python_wheel")
    return folder


def _installed_files(info):
    """What the build installs for a wheel, by its names there: the package, and licences for the folder of metadata."""
    with tempfile.TemporaryDirectory() as prefix:
        _run("cmake", "--install", str(_build_folder()), "--component", "wheel", "--prefix", prefix, "--strip")
        files = {}
        for path in sorted(path for path in pathlib.Path(prefix).rglob("*") if path.is_file()):
            name = path.relative_to(prefix).as_posix()
            files[name if name.startswith("paika/") else f"{info}/{name}"] = path.read_bytes()
        return files


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _info_files():
    return {"METADATA": _metadata().encode(),
            "WHEEL": f"Wheel-Version: 1.0\nGenerator: paika\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode(),
            "top_level.txt": b"paika\n"}


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel; returns its name."""
    info = f"paika-{_version()}.dist-info"
    files = _installed_files(info)
    files.update({f"{info}/{name}": data for name, data in _info_files().items()})
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    name = f"paika-{_version()}-{_tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, DATE)
            entry.external_attr = (0o755 if ".so" in path else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Writes what is known without building; returns the folder's name."""
    folder = pathlib.Path(metadata_directory) / f"paika-{_version()}.dist-info"
    folder.mkdir()
    for name, data in _info_files().items():
        (folder / name).write_bytes(data)
    return folder.name


def _anonymous(entry):
    """An archive's entry without what differs between checkouts: owner, date, permissions of a group."""
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o755 if entry.mode & 0o100 else 0o644
    return entry


def build_sdist(sdist_directory, config_settings=None):
    """Packs the files that git knows; returns the archive's name."""
    base = f"paika-{_version()}"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout.split(b"\0")
    path = pathlib.Path(sdist_directory) / f"{base}.tar.gz"
    with path.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in sorted(entry.decode() for entry in listed if entry):
            archive.add(ROOT / name, f"{base}/{name}", recursive=False, filter=_anonymous)
        metadata = _metadata().encode()
        info = tarfile.TarInfo(f"{base}/PKG-INFO")
        info.size = len(metadata)
        archive.addfile(info, io.BytesIO(metadata))
    return path.name


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []
