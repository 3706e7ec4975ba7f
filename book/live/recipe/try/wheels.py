"""What the wheels must be able to do, run in Pyodide by wheels.mjs."""

import hashlib
import importlib
import importlib.metadata
import pkgutil
import platform
from base64 import urlsafe_b64encode

import numpy as np

print(platform.platform(), platform.python_version())

# The installed files are those of RECORD, hash by hash, and there is a licence.
for name in ("numpy", "matplotlib", "kiwisolver", "pillow", "contourpy"):
    distribution = importlib.metadata.distribution(name)
    hashed = [entry for entry in distribution.files if entry.hash]
    for entry in hashed:
        digest = hashlib.new(entry.hash.mode, entry.locate().read_bytes()).digest()
        assert urlsafe_b64encode(digest).rstrip(b"=").decode() == entry.hash.value, entry
    licenses = [entry for entry in distribution.files if "/licenses/" in str(entry)]
    assert licenses, name
    print(f"{name} {distribution.version}: {len(hashed)} files as in RECORD, {len(licenses)} licence files")

# Every compiled module can be imported.
modules = []
for name in ("numpy", "matplotlib", "kiwisolver", "PIL", "contourpy"):
    package = importlib.import_module(name)
    for found in pkgutil.walk_packages(package.__path__, f"{name}.", onerror=lambda _: None):
        spec = found.module_finder.find_spec(found.name)
        if spec and spec.origin and spec.origin.endswith(".so"):
            importlib.import_module(found.name)
            modules.append(found.name)
print(len(modules), "compiled modules imported:", ", ".join(modules))

# Linear algebra: each factorization gives its matrix back.
draw = np.random.default_rng(0)
square = draw.standard_normal((60, 60))
tall = draw.standard_normal((90, 30))
symmetric = square @ square.T + np.eye(60)
u, s, v = np.linalg.svd(tall, full_matrices=False)
q, r = np.linalg.qr(tall)
values, vectors = np.linalg.eigh(symmetric)
general, right = np.linalg.eig(square)
lower = np.linalg.cholesky(symmetric)
residuals = {
    "svd": u * s @ v - tall,
    "qr": q @ r - tall,
    "eigh": vectors * values @ vectors.T - symmetric,
    "eig": square @ right - right * general,
    "cholesky": lower @ lower.T - symmetric,
    "solve": square @ np.linalg.solve(square, tall[:60]) - tall[:60],
    "inv": np.linalg.inv(symmetric) @ symmetric - np.eye(60),
    "pinv": np.linalg.pinv(tall) @ tall - np.eye(30),
    "lstsq": tall.T @ (tall @ np.linalg.lstsq(tall, np.ones(90))[0] - 1),
}
for name, residual in residuals.items():
    worst = float(np.abs(residual).max())
    print(f"numpy.linalg.{name}: residual {worst:.1e}")
    assert worst < 1e-10, name
assert np.linalg.matrix_rank(tall) == 30
assert np.allclose(np.fft.ifft(np.fft.fft(tall)), tall)

# The figure that figure.py draws on any machine.
import figure  # noqa: E402
import matplotlib as mpl  # noqa: E402
from matplotlib import ft2font  # noqa: E402

figure.main("/tmp")
print("matplotlib", mpl.__version__, "backend", mpl.get_backend(), "FreeType", ft2font.__freetype_version__)

from PIL import Image  # noqa: E402

image = Image.open("/tmp/figure.png")
image.load()
assert image.size == (900, 300)
assert len(image.convert("RGB").getcolors(maxcolors=10**6)) > 100
print("figure.png", image.size, image.mode, "and figure.svg are drawn")
