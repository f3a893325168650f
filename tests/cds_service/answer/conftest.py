"""The world of the clinical cases, and site policies as tests write them."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2] / "cases"), str(Path(__file__).parent)]
