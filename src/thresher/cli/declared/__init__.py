"""What each command takes: its name, arguments, options and help. The work is elsewhere, and is imported when a command runs.

So `--help`, `--version`, a mistyped option and the Tab key cost next to nothing: nothing here imports more than click. A command is
described here:

    crawl_command.py         crawl, demo
    result_commands.py       show, search, why, label, rejudge, advise, export, revisit
    knowledge_commands.py    senses, topic, ontology, strategies
    taxonomy_commands.py     taxonomy learn, taxonomy show
    lab_commands.py          lab and its commands

and the module of its name in the folder above does the work, in a function with a parameter for each option:

    @declared.show.work
    def show(folder: Path, *, tree: bool) -> None: ...

- `command_types.py`: commands that load late, options in sections, suggestions for what was mistyped;
- `shared_options.py`: options that several commands have. An option of one name means the same in all of them.
"""
