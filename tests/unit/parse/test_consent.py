"""A page with a consent banner is read as it came: what lies behind the banner is its main text, and the banner is not."""

import pytest

from thresher.model import Response, Url
from thresher.parse.html import HtmlParser

ASKS = "We and our 842 partners store cookies on your device. Accept all, reject all, or manage your options."
BANNERS = {
    "OneTrust": '<div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" role="dialog"><p>{}</p></div></div>',
    "Cookiebot": '<div id="CybotCookiebotDialog" role="dialog"><div class="CybotCookiebotDialogBody">{}</div></div>',
    "Osano": '<div role="dialog" aria-label="cookieconsent" class="cc-window cc-banner"><span>{}</span></div>',
    "Quantcast": '<div class="qc-cmp2-container" id="qc-cmp2-container"><div class="qc-cmp2-main">{}</div></div>',
    "Didomi": '<div id="didomi-host"><div class="didomi-popup-container">{}</div></div>',
    "Complianz": '<div id="cmplz-cookiebanner-container"><div class="cmplz-cookiebanner">{}</div></div>',
    "CookieYes": '<div class="cky-consent-container cky-banner-bottom">{}</div>',
    "iubenda": '<div id="iubenda-cs-banner"><p>{}</p></div>',
    "Klaro": '<div class="klaro"><div class="cookie-modal"><div class="cm-bg">{}</div></div></div>',
    "Borlabs": '<div id="BorlabsCookieBox" class="BorlabsCookie" role="dialog">{}</div>',
    "Usercentrics": '<div id="usercentrics-root">{}</div>',
    "of the site's own": '<div class="cookie-consent"><p>{}</p></div>',
    "of its own, in one word": '<div id="cookieConsent">{}</div>',
    "of its own, by the law's name": '<section class="gdpr-popup">{}</section>',
    "a dialog": "<dialog open>{}</dialog>",
    "the role of a dialog": '<div role="dialog" aria-modal="true">{}</div>',
}
STORY = "The iris is a thin ring in the eye that widens and narrows the pupil, and gives the eye its colour. "


def parsed(html):
    return HtmlParser().parse(Response(Url("http://a/"), 200, ((b"Content-Type", b"text/html"),), html.encode(), b""))


@pytest.mark.parametrize("maker", BANNERS)
@pytest.mark.parametrize("frame", ["<article>{}</article>", '<div class="c">{}</div>'])
def test_the_page_behind_a_banner_is_read_and_the_banner_is_not_its_main_text(maker, frame):
    page = parsed(f"<body style='overflow: hidden'>{BANNERS[maker].format(ASKS)}{frame.format(f'<p>{STORY * 4}</p>')}")
    assert page.main.count("The iris is a thin ring") == 4
    assert "842 partners" not in page.main
    assert "842 partners" in page.text, "it is read as it came"


def test_a_page_about_consent_is_a_page():
    page = parsed(f'<div class="informed-consent"><h1>Consent before surgery</h1><p>{STORY * 4}</p></div>')
    assert STORY.strip() in page.main
    long = parsed(f'<body><div class="consent-container"><p>{STORY * 9}</p></div><p>Another line.</p>')
    assert STORY.strip() in long.main, "what holds most of a page is the page, whatever its name"
