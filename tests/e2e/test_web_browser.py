"""The pages in a real browser, on a real server over the starter monographs: keyboard alone, narrow, zoomed, dark, and with hostile text."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
selenium = pytest.importorskip("selenium", reason="absent: the selenium package (pip install 'pharmgraph-cds[dev]')")

from selenium import webdriver  # noqa: E402
from selenium.common.exceptions import NoAlertPresentException  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.remote.webelement import WebElement  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
HOSTILE = "<img src=x onerror=alert(1)>"
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
TABS = 80


@pytest.fixture(scope="module")
def base(knowledge: Path, command_of: Callable[..., list[str]], repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    state = tmp_path_factory.mktemp("state")
    log = (state / "server.log").open("w")
    options = ["--release", knowledge, "--port", str(port), "--state", state / "state", "--demo", repository / "fixtures" / "patients", "--workers", "1"]
    server = subprocess.Popen(command_of("cds_service", "serve", *options), stdout=log, stderr=log)
    try:
        wait_for(f"http://127.0.0.1:{port}/health", server, state / "server.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)
        log.close()


def wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(300):
        assert server.poll() is None, log.read_text()
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"no answer from {url}: {log.read_text()}")


class Browser:
    """A headless Chromium with what these tests do in it."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def show(self, width: int, *, height: int = 900, dark: bool = False) -> None:
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})

    def press(self, *keys: str) -> None:
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    @property
    def focused(self) -> WebElement:
        return self.driver.switch_to.active_element

    def tab_to(self, fits: Callable[[WebElement], bool]) -> WebElement:
        for _ in range(TABS):
            self.press(Keys.TAB)
            if fits(self.focused):
                return self.focused
        return pytest.fail("the tabulator key does not reach it")

    def all(self, css: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def run(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def leave(self) -> Callable[[Any], bool]:
        """True, once the page of this moment is gone and the next one is whole."""
        self.run("window.before = true")
        return lambda _: self.run("return document.readyState === 'complete' && !window.before")

    def go(self, *keys: str) -> None:
        left = self.leave()
        self.press(*keys)
        WebDriverWait(self.driver, 10).until(left)

    def sign(self, address: str, *orders: str, drug: str = "") -> None:
        self.driver.get(address)
        for order in orders:
            self.driver.find_element(By.CSS_SELECTOR, f"input[name=order][value='{order}']").send_keys(Keys.SPACE)
        if drug:
            self.driver.find_element(By.ID, "drug").send_keys(drug)
        self.run("document.querySelector('button[value=sign]').focus()")
        self.go(Keys.ENTER)


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("absent: chromium and chromedriver (Debian: apt-get install chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path / 'profile'}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    browser = Browser(driver)
    browser.show(1280)
    try:
        yield browser
        complaints = [entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        assert complaints == []
    finally:
        driver.quit()


def in_view(browser: Browser, element: str) -> bool:
    """True when the element lies in the window and in the box it scrolls in."""
    return browser.run(
        f"const e = document.getElementById('{element}'), r = e.getBoundingClientRect(), b = e.closest('.section-text').getBoundingClientRect();"
        "return r.top >= 0 && r.bottom <= innerHeight && r.top >= b.top - 1 && r.bottom <= b.bottom + 1"
    )


def test_an_order_is_signed_and_its_evidence_read_with_the_keyboard_alone(browser: Browser, base: str) -> None:
    browser.driver.get(f"{base}/demo")
    browser.press(Keys.TAB)
    assert browser.focused.text == "Skip to the content"
    browser.press(Keys.ENTER)
    browser.tab_to(lambda e: "on warfarin" in e.text)
    browser.go(Keys.ENTER)
    browser.tab_to(lambda e: e.get_attribute("value") == "ibuprofen")
    browser.press(Keys.SPACE)
    browser.tab_to(lambda e: e.text == "Sign")
    browser.go(Keys.ENTER)
    heading = browser.driver.find_element(By.ID, "answer-heading")
    assert "card" in heading.text
    assert browser.run("const r = document.getElementById('answer-heading').getBoundingClientRect(); return r.top >= 0 && r.top < innerHeight / 2")
    assert any("warfarin" in card.text.lower() and "Warning" in card.text for card in browser.all(".card"))
    link = browser.tab_to(lambda e: "/evidence/" in (e.get_attribute("href") or ""))
    assert link.text
    browser.go(Keys.ENTER)
    assert "ibuprofen" in browser.driver.find_element(By.TAG_NAME, "h1").text.lower()
    assert in_view(browser, "quote")
    assert "warfarin" in browser.driver.find_element(By.CSS_SELECTOR, "blockquote").text.lower()


def test_the_tabulator_key_leaves_every_place_it_reaches(browser: Browser, base: str) -> None:
    browser.sign(f"{base}/demo/warfarin-knee-pain", "ibuprofen", "clarithromycin")
    wanted = browser.run(
        "return [...document.querySelectorAll('a, button, input:not([type=hidden]), select, summary, [tabindex=\"0\"]')].filter(e => e.checkVisibility()).length"
    )
    browser.run("document.querySelector('.skip').focus()")
    seen: list[str] = []
    for _ in range(wanted + 5):
        place = browser.focused.id
        if place in seen:
            break
        seen.append(place)
        outline = browser.run("const s = getComputedStyle(document.activeElement); return s.outlineStyle + s.outlineWidth")
        assert not outline.startswith("none"), browser.focused.get_attribute("outerHTML")
        browser.press(Keys.TAB)
        if browser.focused.tag_name == "body":
            break
    assert len(seen) == wanted


def test_hostile_text_stays_text(browser: Browser, base: str) -> None:
    browser.sign(f"{base}/demo/warfarin-knee-pain", drug=HOSTILE)
    shown = browser.driver.find_element(By.CSS_SELECTOR, ".answer").text
    assert "onerror" in shown
    with pytest.raises(NoAlertPresentException):
        _ = browser.driver.switch_to.alert
    assert not browser.all("main img, main script")
    for address in [a.get_attribute("href") for a in browser.all(".card .links a")]:
        browser.driver.get(address)
        assert not browser.all("img, script")
        assert "onerror" in browser.driver.find_element(By.TAG_NAME, "main").text


def test_a_card_is_overridden_with_a_reason(browser: Browser, base: str) -> None:
    browser.sign(f"{base}/demo/warfarin-knee-pain", "ibuprofen")
    browser.run("document.getElementById('answer').focus()")
    choice = browser.tab_to(lambda e: e.tag_name == "select" and (e.get_attribute("name") or "").startswith("reason:"))
    choice.send_keys(Keys.ARROW_DOWN)
    browser.tab_to(lambda e: e.text == "Override")
    browser.go(Keys.ENTER)
    assert browser.driver.find_element(By.CSS_SELECTOR, ".settled").text.startswith("Overridden: ")


def test_a_suggestion_removes_the_order(browser: Browser, base: str) -> None:
    browser.sign(f"{base}/demo/penicillin-anaphylaxis", "amoxicillin")
    browser.tab_to(lambda e: (e.get_attribute("value") or "").startswith("accept:"))
    browser.go(Keys.ENTER)
    assert not browser.all("input[name=order]:checked")
    assert browser.driver.find_element(By.CSS_SELECTOR, ".settled").text.startswith("Accepted: ")
    assert "Sign again" in browser.driver.find_element(By.CSS_SELECTOR, "[role=status]").text


@pytest.mark.parametrize("width", [320, 360, 640])
def test_pages_fit_a_narrow_window(browser: Browser, base: str, width: int) -> None:
    browser.show(width)
    addresses = [f"{base}/demo"]
    browser.sign(f"{base}/demo/warfarin-knee-pain", "ibuprofen", "diclofenac-gel", "clarithromycin")
    addresses += [a.get_attribute("href") for a in browser.all(".card .links a")]
    assert fits(browser), "the signed page"
    for address in addresses:
        browser.driver.get(address)
        assert fits(browser), address


def fits(browser: Browser) -> bool:
    return browser.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_quote_is_in_view_on_a_telephone(browser: Browser, base: str) -> None:
    browser.show(360, height=640)
    browser.sign(f"{base}/demo/warfarin-knee-pain", "clarithromycin")
    browser.driver.get(browser.all(".card .links a")[0].get_attribute("href"))
    assert in_view(browser, "quote")


def test_a_chinese_label_is_quoted_in_its_language(browser: Browser, base: str) -> None:
    browser.sign(f"{base}/demo/diabetes-xiaoke", "glyburide")
    quotes = []
    for address in [a.get_attribute("href") for a in browser.all(".card .links a")]:
        browser.driver.get(address)
        quotes += [q.get_attribute("lang") for q in browser.all("blockquote")]
    assert "zh" in quotes


def test_the_dark_scheme_is_dark(browser: Browser, base: str) -> None:
    light = browser.run("return getComputedStyle(document.documentElement).backgroundColor")
    browser.show(900, dark=True)
    browser.driver.get(f"{base}/demo")
    assert browser.run("return getComputedStyle(document.documentElement).backgroundColor") != light
    assert browser.run("return getComputedStyle(document.body).color") == "rgb(231, 235, 238)"
