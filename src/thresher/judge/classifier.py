"""Judge a page by a classifier that has learnt example pages: how probably it belongs to the target classes."""

from thresher.classify.taxonomy import Taxonomy, class_text
from thresher.errors import BadInput
from thresher.language import words
from thresher.model import Evidence, Judgement, Page


class ClassifierJudge:
    """Relevance is P(target | page), several targets added up, by naïve Bayes tempered so that it is seldom quite 0 or 1.

    `temperature=0` is raw naïve Bayes, as Altıngövde and Ulusoy 2004 have it.

    A page of one class among many has much less than half of it: over eleven topics of four recorded webs the mean F1 on pages that were
    not learnt is .64 with a threshold of .15 or .20, .62 at .25, .53 at .50, and .61 for those whose best class is a target. With few
    classes a higher one is better: of the seven of WebKB, .25 at .20 and .38 at .50. So no one curve makes it a probability
    (docs/reference/judges.md).
    """

    def __init__(self, taxonomy: Taxonomy, threshold: float = 0.2, temperature: float | None = None) -> None:
        if not 0 <= threshold <= 1:
            raise BadInput(f"judge 'classifier': threshold is {threshold}, but must be from 0 to 1")
        self._taxonomy = taxonomy.tempered(temperature)
        self.threshold = threshold

    def judge(self, page: Page) -> Judgement:
        """Judge one page."""
        shares = self._taxonomy.distribution(page)
        label = max(self._taxonomy.targets, key=shares.__getitem__)
        telling = self._telling_words(label, page)
        # Without a word for it an empty page would be as relevant as the class is common. Shares may add up to slightly more than 1.
        relevance = min(1.0, self._taxonomy.on_target(page)) if any(each.amount > 0 for each in telling) else 0.0
        evidence = (Evidence(label, "class", shares[label]), *telling)
        return Judgement(relevance, relevance >= self.threshold, evidence)

    def _telling_words(self, label: str, page: Page) -> list[Evidence]:
        """The page's words that speak most for a class and, below zero, against it; n_w · log p(w|c) / p(w|others)."""
        title = set(words(page.title))
        found = self._taxonomy.classifier.evidence(class_text(page), label)
        return [Evidence(word, "title" if word in title else "text", amount) for word, amount in found]
