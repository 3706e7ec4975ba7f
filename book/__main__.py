"""`python -m lifelong_book` is the command `lifelong`."""

import sys

from lifelong_book.press.command_line import main

if __name__ == "__main__":
    sys.exit(main())
