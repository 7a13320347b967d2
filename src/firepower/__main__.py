"""`python -m firepower`: the command line."""

from firepower.cli.main import main

main()
