from pathlib import Path

import pytest

from cds_service.errors import SettingsError
from cds_service.settings import load_settings


def test_command_line_before_environment_before_file_before_default(tmp_path: Path) -> None:
    file = tmp_path / "service.toml"
    file.write_text('release = "/from/file"\nport = 1\nworkers = 3\nthreads = 9\n')
    environ = {"PHARMGRAPH_SETTINGS": str(file), "PHARMGRAPH_PORT": "2", "PHARMGRAPH_WORKERS": "5"}
    found = load_settings({"port": 7, "workers": None}, environ)
    assert (str(found.release), found.port, found.workers, found.threads, found.host) == ("/from/file", 7, 5, 9, "127.0.0.1")


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({}, "release"),
        ({"release": "r", "port": 99999}, "port"),
        ({"release": "r", "base_url": "ehr.example.org"}, "base_url"),
        ({"release": "r", "max_depth": "deep"}, "max_depth"),
        ({"release": "r", "colour": 1}, "colour"),
    ],
)
def test_what_cannot_be_used_is_named(given: dict[str, object], named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        load_settings(given, {})


def test_secrets_and_wrong_values_are_not_shown() -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings({"release": "r", "port": "hunter2", "site_key": 7}, {})
    assert "hunter2" not in str(refused.value)
    assert "s3cret" not in repr(load_settings({"release": "r", "site_key": "s3cret"}, {}))


@pytest.mark.parametrize("text", ["port = ", "\xff"])
def test_a_settings_file_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "service.toml"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(SettingsError, match=r"service\.toml"):
        load_settings({}, {"PHARMGRAPH_SETTINGS": str(file)})


def test_settings_are_frozen() -> None:
    with pytest.raises(Exception, match="frozen"):
        load_settings({"release": "r"}, {}).port = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ({}, "http://127.0.0.1:8080"),
        ({"host": "0.0.0.0", "port": 9}, "http://127.0.0.1:9"),
        ({"host": "::1"}, "http://[::1]:8080"),
        ({"base_url": "https://cds.example.org/x/"}, "https://cds.example.org/x"),
    ],
)
def test_the_public_url(given: dict[str, object], url: str) -> None:
    assert load_settings({"release": "r", **given}, {}).public_url == url
