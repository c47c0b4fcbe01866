"""What attributes give away: a class called `main-menu`, a role, a style that shows nothing."""

import re
from functools import lru_cache

ROBOT = "thresher"
"""The name by which a page can speak to us in `<meta name=…>` and `X-Robots-Tag`."""

_BOILERPLATE = "navigation banner contentinfo complementary search menu menubar toolbar tablist dialog alertdialog"
_ROLES = {"main": "main", "article": "article"} | dict.fromkeys(_BOILERPLATE.split(), "boilerplate")
# Whole words: `main_menu`, `topnav` and `siteFooter` are hints; `menuhin`, `navigate` and `article-header` are not.
_HINT = re.compile(
    r"(?:(?<![A-Za-z])(?:top|sub|site|main|page|left|right|side|global|local|foot)?|(?<=[a-z])(?=[A-Z]))"
    r"(?i:nav|navbar|navbox|navi|navigation|menu|menubar|menus|dropdown|breadcrumbs?|sidebar|topbar|toolbar|masthead"
    r"|footer|footers|pager|pagination|skip-?links?|cookies?-?(?:banner|bar|consent|notice)"
    r"|(?:social|share|sharing)-?(?:bar|buttons|icons|links|media))(?![a-z])"
    r"|(?:^|\s)(?:site|page|main|global|top)?[-_]?(?i:header)(?![\w-])"
)
_NOT_SHOWN = re.compile(r"display\s*:\s*none", re.IGNORECASE)


@lru_cache(8192)
def role_of(role: str | None, classes: str | None, name: str | None) -> str:
    """What a container is for: `main`, `article`, `boilerplate`; `perhaps` the last, by its name; or empty."""
    if role and (known := _ROLES.get(role.strip().lower())):
        return known
    return "perhaps" if _HINT.search(f"{classes or ''} {name or ''}") else ""


def shown(style: str) -> bool:
    """Whether a style attribute lets the element be seen."""
    return _NOT_SHOWN.search(style) is None
