"""``python -m bench.fuzz.guided TARGET INPUTS SEED``: inputs guided by what they reach in the decoder (atheris, that
is libFuzzer). A process of its own, for libFuzzer ends the one it runs in. Linux only: the extra ``fuzz``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["drivers", "controller.app.deckregister", "controller.app.deckregister_file"]):
    from bench.fuzz.targets import TARGETS

LONGEST = 4096


def main() -> None:
    """Fuzz; libFuzzer ends the process, with status 0 when nothing was found."""
    name, inputs, seed = sys.argv[1:]
    target = TARGETS[name]
    with tempfile.TemporaryDirectory(prefix="tablewatch-fuzz-") as made:
        for number, data in enumerate(target.seeds):
            Path(made, str(number)).write_bytes(data)
        options = [f"-runs={inputs}", f"-seed={seed}", f"-max_len={LONGEST}", "-rss_limit_mb=2048", "-verbosity=0"]
        atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={tempfile.gettempdir()}/", made], target.judge)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
