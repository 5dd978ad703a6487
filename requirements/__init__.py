"""Specifications (Markdown) and what they compile to (Requirement objects).

Entry points: the compiled modules `srs*.py`, `links` (which scenario names which requirement), `accepted`
(which texts somebody has compared with their scenarios), `command_line` (`requirements check`, `compile`,
`accept`).
Must not import helpers, steps or scenarios. The compiled modules are generated and checked for drift.
"""
