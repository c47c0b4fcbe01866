"""`python -m thresher` is `thresher`."""

from thresher.cli import main

if __name__ == "__main__":
    main()
