"""`python -m arrocco`: the same program as the script `arrocco`."""

from arrocco.cli.main import main

if __name__ == "__main__":
    main()
