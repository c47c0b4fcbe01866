"""Every reader of what strangers write."""

from tests.growth import answers, files, lists, pages

READERS = {**pages.READERS, **answers.READERS, **files.READERS, **lists.READERS}
