"""Webs whose pages say in their title of which class they are, and a taxonomy that believes them."""

from tests.unit.strategy.walks import order

from thresher.classify.link_rules import InterclassRules
from thresher.classify.naive_bayes import Classifier
from thresher.classify.taxonomy import Taxonomy
from thresher.model import Candidate, Claim, Host, Outcome, Page, Response, Url, Visit

HOST = "http://a.example"
# Altingövde and Ulusoy 2004, Table 1.
TABLE_1 = {
    "DH": {"CH": 8, "PH": 1, "SP": 1},
    "CH": {"DH": 2, "CH": 4, "PH": 4},
    "PH": {"DH": 3, "CH": 4, "PH": 3},
    "SP": {"SP": 10},
}


def rules_of(table):
    rules = InterclassRules()
    for parent, row in table.items():
        for child, pages in row.items():
            rules.add(parent, child, pages)
    return rules


class TitledClasses(Taxonomy):
    """A page belongs to the class its title names with .7, and to the three others with .1 each."""

    def __init__(self, targets=("PH",), rules=None, classes=("DH", "CH", "PH", "SP")):
        super().__init__(Classifier.of((name, name) for name in classes), targets, rules)

    def distribution(self, page):
        rest = dict.fromkeys(self.classifier.classes, 0.3 / (len(self.classifier.classes) - 1))
        del rest[page.title]
        return {page.title: 0.7, **rest}


def html(title, *links):
    return f"<title>{title}</title><p>{' '.join(f'<p><a href=/{link}>{link}</a></p>' for link in links)}"


def visit(title, number=1, url="/", parent=None, depth=1, links=(), **said):
    page = Page(Url(HOST + url), title=title, links=tuple(links), **said)
    candidate = Candidate(page.url, 1.0, depth, Url(HOST + parent) if parent else None)
    claim = Claim(candidate, Host("a.example"), number, 0.0)
    return Visit(claim, number, 0.0, Response(page.url, 200, (), b"", b""), Outcome("page"), page)


async def order_of_visits(strategy, pages, seed=""):
    rooted = {f"/{path}": content for path, content in pages.items()}
    return [path[1:] for path in await order(rooted, strategy, f"/{seed}")]


FIGURE_3 = {
    "": html("PH", "1", "2", "3", "4"),
    "1": html("CH", "5"),
    "2": html("DH"),
    "3": html("PH"),
    "4": html("SP"),
    "5": html("PH"),
}
