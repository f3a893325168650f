"""The settings of one process: read once, from the command line, the environment and one TOML file, in this order of precedence."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from cds_service.errors import SettingsError

PREFIX = "PHARMGRAPH_"
FILE = "PHARMGRAPH_SETTINGS"


class Settings(BaseModel):
    """One frozen object a process. Every member can be set as `PHARMGRAPH_<NAME>`, or as a key of the TOML file that `PHARMGRAPH_SETTINGS` names."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    release: Path
    state: Path = Path("pharmgraph-state")
    policy: Path | None = None
    demo: Path | None = None
    host: str = "127.0.0.1"
    port: int = Field(8080, ge=0, le=65535)
    base_url: str | None = None
    workers: int = Field(2, ge=1, le=64)
    threads: int = Field(4, ge=1, le=64)
    live: bool = False
    reference_time_from_request: bool = False
    max_body_bytes: int = Field(10 * 1024 * 1024, ge=1024)
    read_seconds: float = Field(10.0, ge=0.5, le=600)
    max_depth: int = Field(64, ge=8, le=500)
    time_budget_ms: int = Field(3000, ge=1)
    trace_days: int = Field(30, ge=1, le=3650)
    state_wait_ms: int = Field(500, ge=0, le=10_000)
    recheck: bool = True
    site_key: SecretStr | None = None
    broker_url: SecretStr | None = None
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    @field_validator("base_url")
    @classmethod
    def _absolute(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("must begin with http:// or https://")
        return value.rstrip("/") if value else None

    @property
    def public_url(self) -> str:
        """The base URL that links in cards begin with: the configured one, else host and port."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::", "") else self.host  # noqa: S104
        return self.base_url or f"http://{f'[{host}]' if ':' in host else host}:{self.port}"


def load_settings(given: Mapping[str, Any], environ: Mapping[str, str]) -> Settings:
    """The settings; a value of None in `given` counts as not given. Raises SettingsError naming each member that cannot be used."""
    values: dict[str, Any] = {}
    if FILE in environ:
        values |= _read_file(Path(environ[FILE]))
    names = Settings.model_fields
    values |= {name: environ[key] for name in names if (key := PREFIX + name.upper()) in environ}
    values |= {name: value for name, value in given.items() if value is not None}
    try:
        return Settings.model_validate(values)
    except ValidationError as e:
        faults = "; ".join(f"{'.'.join(map(str, f['loc'])) or 'settings'}: {f['msg']}" for f in e.errors(include_input=False, include_url=False))
        raise SettingsError(f"settings cannot be used: {faults}. Set them on the command line, as {PREFIX}<NAME>, or in the file that {FILE} names") from None


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as e:
        raise SettingsError(f"settings file {path}: {e}") from e
