"""Answers that look like pages and are none: a `not found` that comes with status 200, and a domain that is parked.

Both must be certain, since such a page is lost to the crawl. So several things have to come together, and a page with much to say is
neither. A page is a soft 404 if its title or its first heading is one of a few phrases, alone or beside the name of the site, and its own
text says of the page itself that it is not there. A domain is parked if its page says so, or offers it for sale, and its title names the
domain, or it holds the address of a company that parks domains. A page about error 404, or about parked domains, has none of it.
"""

import re
from collections.abc import Sequence

from thresher.model import PAGE, Url
from thresher.urls import host_of

SOFT_404 = "soft-404"
PARKED = "parked"

_MUCH = 1_200
"""Characters of own text, more than which no page of these kinds has."""
_MUCH_PARKED = 4_000
"""Those of a parked domain list searches and offers."""

_SEPARATORS = str.maketrans(dict.fromkeys("|–—-:·•»«/>,!?.…()[]'\"’", " | "))

_MISSING = frozenset(
    phrase.strip()
    for phrase in """
    404|404 error|error 404|404 not found|404 page not found|404 file not found|404 error page|error 404 not found|http 404 not found
    page not found|not found|file not found|page not found 404|page missing|page unavailable|page does not exist|page doesn t exist
    page cannot be found|the page cannot be found|page could not be found|this page could not be found|content not found|document not found
    object not found|resource not found|oops|we can t find that page|we couldn t find that page|this page doesn t exist
    sorry page not found|nothing found|this page isn t available|the requested page could not be found|the page you requested was not found
    seite nicht gefunden|die seite wurde nicht gefunden|nicht gefunden|datei nicht gefunden|fehler 404|404 fehler|404 seite nicht gefunden
    page introuvable|page non trouvée|erreur 404|404 page introuvable|fichier non trouvé|cette page n existe pas
    página no encontrada|pagina no encontrada|error 404 página no encontrada|no encontrado|página não encontrada|erro 404|não encontrado
    pagina non trovata|errore 404|non trovato|pagina niet gevonden|niet gevonden|fout 404|sidan hittades inte|siden blev ikke fundet
    siden ble ikke funnet|sivua ei löytynyt|nie znaleziono strony|strona nie istnieje|strona nie została znaleziona|stránka nenalezena
    stránka nebola nájdená|az oldal nem található|pagina nu a fost găsită|sayfa bulunamadı|страница не найдена|сторінку не знайдено
    η σελίδα δεν βρέθηκε|ページが見つかりません|お探しのページは見つかりませんでした|页面不存在|页面未找到|找不到页面|頁面不存在|找不到網頁
    http 404|błąd 404|ошибка 404|페이지를 찾을 수 없습니다|الصفحة غير موجودة|הדף לא נמצא|पृष्ठ नहीं मिला
    """.strip()
    .replace("\n", "|")
    .split("|")
)

# One of them is in each phrase of plain letters: asked first, because it is fast, and nearly no title has one.
_HINTS = re.compile(
    "404|oops|found|missing|exist|find|vailable|gefunden|introuvable|encontrad|trovat|gevonden|hitta|funnet|fundet|strony|strona"
)

_SAID = (
    "page you are looking for", "page you were looking for", "page you're looking for", "page you requested", "page you tried",
    "page that you were", "page that you are looking", "page that you requested",
    "page you want", "page was not found", "page could not be found", "page cannot be found", "page can't be found",
    "page not found", "page does not exist", "page doesn't exist", "page no longer exists", "page is no longer available",
    "page has been moved", "page has moved", "page may have been", "page might have been", "requested url",
    "requested page was not", "requested page could not", "was not found on this server", "url you requested",
    "address you entered", "couldn't find the page", "could not find the page", "can't find the page", "cannot find the page",
    "couldn't find that page", "can't find that page", "nothing was found at this location", "that page can't be found",
    "file not found", "content you requested", "document you requested",
    "seite nicht gefunden", "gesuchte seite", "angeforderte seite", "gewünschte seite", "seite existiert nicht", "seite konnte nicht",
    "seite wurde nicht gefunden", "diese seite gibt es nicht",
    "page que vous", "page demandée", "page n'existe", "page n’existe", "page introuvable", "cette page est introuvable",
    "página que busca", "página que buscas", "página solicitada", "página no existe", "página no encontrada",
    "no se ha encontrado la página",
    "página que você", "página não existe", "página não encontrada", "página que procura",
    "pagina che stai cercando", "pagina che hai", "pagina che cerchi", "pagina non trovata", "pagina richiesta", "pagina non esiste",
    "pagina die u", "pagina die je", "pagina niet gevonden", "pagina bestaat niet", "sidan du", "sidan kunde inte", "siden du",
    "siden blev ikke", "siden ble ikke", "siden finnes ikke", "sivua ei löyt", "hakemaasi sivua", "strona, której", "strona nie",
    "stránka nenalezena", "stránka neexistuje", "stránka, kterou", "stránka nebola", "az oldal nem található", "keresett oldal",
    "pagina nu", "pagina pe care", "sayfa bulunamadı", "aradığınız sayfa", "страница не найдена", "страница не существует",
    "страницы не существует", "запрашиваемая страница", "запрошенная страница", "сторінку не знайдено", "η σελίδα δεν", "η σελίδα που",
    "ページが見つかりません", "ページは見つかりません", "ページは存在しません", "页面不存在", "页面未找到", "访问的页面", "頁面不存在",
    "找不到页面", "找不到網頁", "페이지를 찾을 수 없", "الصفحة غير موجودة", "الصفحة التي", "הדף לא נמצא", "पृष्ठ नहीं मिला",
)  # fmt: skip
"""What such a page says of itself. Looked for only where the title has said so already."""

_ABOUT_DOMAINS = ("domain", "domein", "dominio", "domínio", "doména", "домен", "ドメイン", "域名", "도메인", "alan adı")
_ON_OFFER = (
    "domain is for sale", "domain may be for sale", "domain name is for sale", "domain name may be for sale", "buy this domain",
    "domain is parked", "domain has been parked", "parked free", "domain is available for purchase", "purchase this domain",
    "inquire about this domain", "make an offer on this domain", "domain steht zum verkauf", "domain kaufen", "domain ist zu verkaufen",
    "diese domain ist geparkt", "domaine est à vendre", "acheter ce domaine", "nom de domaine est à vendre", "dominio está en venta",
    "dominio está a la venta", "comprar este dominio", "domínio está à venda", "comprar este domínio", "dominio è in vendita",
    "acquista questo dominio", "domeinnaam is te koop", "domein is te koop", "domænet er til salg", "domänen är till salu",
    "domena jest na sprzedaż", "doména je na prodej", "домен продается", "домен продаётся", "купить этот домен", "домен припаркован",
    "このドメインは販売", "域名出售", "域名可能出售", "該域名", "도메인 판매", "alan adı satılık",
)  # fmt: skip
_COMPANIES = (
    b"sedoparking.com", b"//sedo.com/", b"//www.sedo.com/", b"parkingcrew.net", b"bodis.com", b"//www.above.com/", b"//dan.com/",
    b"afternic.com", b"hugedomains.com", b"parklogic.com", b"parking-lander", b"namebright.com", b"uniregistry", b"domainmarket.com",
    b"cashparking", b"skenzo", b"undeveloped.com", b"domainsponsor.com", b"ztomy.com", b"domainnamesales.com", b"internettraffic.com",
)  # fmt: skip
"""Where those who park domains serve from. Looked for only where the page has spoken of its domain already."""


def form_of(  # noqa: PLR0913, PLR0917 - called for every page; a tuple would have to be made for it
    url: Url, title: str, headings: Sequence[str], own: str, text: str, body: bytes
) -> str:
    """What a page is: a page, or one of the two that are none. `own` is its text without menus, however little that is."""
    if len(own) <= _MUCH and says_missing(title, headings) and _says_so(own, text):
        return SOFT_404
    if len(own) <= _MUCH and len(text) <= _MUCH_PARKED and _parked(url, title, text, body):
        return PARKED
    return PAGE


def says_missing(title: str, headings: Sequence[str]) -> bool:
    """Whether the title, or else the first heading, is a phrase for a page that is not there."""
    return _is_missing(title) or (bool(headings) and _is_missing(headings[0]))


def _is_missing(said: str) -> bool:
    said = said[:300].lower()
    if said.isascii() and not _HINTS.search(said):
        return False
    pieces = said.translate(_SEPARATORS).split("|")
    words = [" ".join(piece.split()) for piece in pieces]
    if any(piece in _MISSING for piece in words):
        return True
    # "Error 404: Page not found" has the phrase in two pieces.
    return " ".join(filter(None, words)) in _MISSING


def _says_so(own: str, text: str) -> bool:
    # Where all the text is in what looks like a menu, there is no other.
    said = (own or text[:_MUCH]).lower()
    return any(phrase in said for phrase in _SAID)


def _parked(url: Url, title: str, text: str, body: bytes) -> bool:
    said = text.lower()
    # Nearly always this is all that is asked.
    if text.isascii() and "dom" not in said:
        return False
    if not any(word in said for word in _ABOUT_DOMAINS) or not any(phrase in said for phrase in _ON_OFFER):
        return False
    return host_of(url).removeprefix("www.") in title.lower() or any(company in body for company in _COMPANIES)
