"""Every reader of what strangers write."""

from tests.growth import answers, documents, files, pages

READERS = {**pages.READERS, **answers.READERS, **files.READERS, **documents.READERS}
