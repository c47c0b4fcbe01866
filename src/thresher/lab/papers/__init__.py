"""The experiments of the papers, each in a module of its own with `reproduce(setting) -> Reproduction`."""

NAMES = ("lokman", "interclass", "multilingual", "lin", "priority")
