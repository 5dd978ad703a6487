"""The commands of ./regression.py: one module a command, `options/` holds what each one takes.

Entry point: `main.main`. Modules of `options/` import nothing heavy, so that --help is answered at once.
Nothing imports this package but the launcher.
"""
