"""The page by keyboard and for those who listen: structure, skip link, Back, links that can be seen."""

from __future__ import annotations

import pytest

from tests.report.page.browser import Browser, needs_browser

pytestmark = needs_browser
FOCUSED = "document.activeElement.dataset.name"
INTERACTIVE = "a[href], button, input, select, summary, textarea, [tabindex='0']"


@pytest.mark.parametrize("part", ["", "#view=scenarios", "#state=failing"])
def test_nothing_interactive_is_within_another(page: Browser, address: str, part: str) -> None:
    page.open(address + part)
    page.press("j")
    page.press("Enter")
    page.wait("document.querySelector('.detail')")
    nested = page.run(
        f"[...document.querySelectorAll(`{INTERACTIVE}`)]"
        f".filter(element => element.parentElement.closest(`{INTERACTIVE}`))"
        ".map(element => element.outerHTML)"
    )
    assert nested == []
    assert page.run(f"document.querySelectorAll(`{INTERACTIVE}`).length") > 10


def test_the_skip_link_leads_to_the_list_and_keeps_the_selection(
    page: Browser, address: str
) -> None:
    page.open(f"{address}#state=failing")
    page.run("document.querySelector('.skip').focus()")
    assert page.run("document.querySelector('.skip').getBoundingClientRect().left") >= 0
    page.press("Enter")
    assert page.run("document.activeElement.id") == "list"
    assert page.run("location.hash") == "#state=failing"
    page.press("Tab")
    assert page.run("document.activeElement.closest('#list') !== null")


def test_back_closes_what_was_opened_by_keyboard(page: Browser) -> None:
    page.press("j")
    page.press("j")
    name = page.run(FOCUSED)
    page.press("Enter")
    page.wait("document.querySelector('.detail')")
    before = page.run("history.length")
    assert page.run("location.hash") == f"#rq={name}"
    page.run("history.back()")
    page.wait("!document.querySelector('.detail')")
    assert page.run("location.hash") == "", "still on the page"
    assert page.run(FOCUSED) == name, "and at the same place"
    page.run("history.forward()")
    page.wait("document.querySelector('.detail')")
    assert page.run("history.length") == before
    assert page.run("location.hash") == f"#rq={name}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_links_can_be_told_from_text(page: Browser, address: str, scheme: str) -> None:
    """By an underline within a sentence; visited or not, they have the colour of a link."""
    page.colours(scheme)
    try:
        page.open(address)
        plain = page.run(
            "[...document.querySelectorAll('.verdict a, .share a, .note a')]"
            ".filter(element => !getComputedStyle(element).textDecorationLine.includes('underline')).length"
        )
        assert plain == 0
        assert page.run("document.querySelectorAll('.verdict a').length") > 2
        accent = page.run("getComputedStyle(document.querySelector('.verdict a')).color")
        assert accent == ("rgb(130, 177, 255)" if scheme == "dark" else "rgb(31, 95, 191)")
        rule = (
            "[...document.styleSheets[0].cssRules].some(css => css.selectorText === 'a, a:visited')"
        )
        assert page.run(rule)
    finally:
        page.colours("light")


def test_lists_and_headings_have_names(page: Browser) -> None:
    unnamed = page.run(
        "[...document.querySelectorAll('nav, section, [role=search], [role=img]')]"
        ".filter(element => !element.ariaLabel && element.id !== 'bar')"
        ".map(element => element.outerHTML.slice(0, 60))"
    )
    assert unnamed == []
