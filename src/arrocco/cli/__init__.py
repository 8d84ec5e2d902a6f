"""The command line: one module for each noun, imported only when that noun is used.

A noun's module is ``arrocco.cli.<noun>`` and holds its click command as ``command``.
"""
