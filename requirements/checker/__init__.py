"""Rules over specifications and their links, each with an id, a level and a hint.

Entry points: `engine` (runs the rules over documents or the whole project), `diagnostics` (a finding and
its forms).
A rule is a function in the module of its subject, registered by `registry.rule`; docs/checker-rules.md
lists all.
Known weakness: `spelling` knows the words of words.txt and flags only near misses of them.
"""
