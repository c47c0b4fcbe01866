"""Every reader of what strangers write."""

from tests.growth import answers, documents, files, lists, pages

READERS = {**pages.READERS, **answers.READERS, **files.READERS, **lists.READERS, **documents.READERS}
