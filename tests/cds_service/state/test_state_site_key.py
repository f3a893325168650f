import base64
import threading
from pathlib import Path

import pytest
from cryptography.fernet import InvalidToken

from cds_service.errors import SettingsError, StateBroken
from cds_service.state.site_key import KEY_FILE, SiteKey, site_key


def test_the_first_start_makes_a_key_that_only_its_owner_reads_and_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    key = site_key(None, tmp_path / "state")
    path = tmp_path / "state" / KEY_FILE
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(key.secret) == 32
    assert "keep a copy" in caplog.text
    assert site_key(None, tmp_path / "state") == key
    assert sorted(p.name for p in path.parent.iterdir()) == [KEY_FILE]


def test_a_key_in_the_settings_goes_first_and_no_file_is_made(tmp_path: Path) -> None:
    assert site_key(base64.urlsafe_b64encode(b"a" * 32).decode(), tmp_path / "state").secret == b"a" * 32
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("text", ["short", "x" * 44, "", base64.urlsafe_b64encode(b"a" * 31).decode(), "é" * 44])
def test_what_is_no_key_is_refused_without_being_shown(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingsError) as refused:
        site_key(text, tmp_path)
    assert not text or text not in str(refused.value)
    (tmp_path / KEY_FILE).write_text(text, "utf-8")
    (tmp_path / KEY_FILE).chmod(0o600)
    with pytest.raises(SettingsError, match=KEY_FILE):
        site_key(None, tmp_path)


def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    site_key(None, tmp_path)
    (tmp_path / KEY_FILE).chmod(0o644)
    with pytest.raises(SettingsError, match="chmod 600"):
        site_key(None, tmp_path)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StateBroken, match="--state"):
        site_key(None, tmp_path / "file" / "state")


def test_two_first_starts_at_once_agree_on_one_key(tmp_path: Path) -> None:
    found: list[SiteKey] = []
    threads = [threading.Thread(target=lambda: found.append(site_key(None, tmp_path))) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 8
    assert len({k.secret for k in found}) == 1


def test_ciphers_of_two_purposes_do_not_open_each_other() -> None:
    key = SiteKey(b"k" * 32)
    sealed = key.cipher("one").encrypt(b"x")
    assert key.cipher("one").decrypt(sealed) == b"x"
    with pytest.raises(InvalidToken):
        key.cipher("two").decrypt(sealed)


def test_the_key_never_shows() -> None:
    assert "kkkk" not in repr(SiteKey(b"k" * 32))
