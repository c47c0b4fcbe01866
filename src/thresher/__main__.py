"""`python -m thresher` is `thresher`."""

from thresher.loading import quiet_interrupts


def main() -> None:
    """Load the command line, and run it."""
    with quiet_interrupts():
        from thresher.cli import main as run  # noqa: PLC0415 - here Ctrl-C is quiet already
    run()


if __name__ == "__main__":
    main()
