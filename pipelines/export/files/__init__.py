"""The files that a part becomes: which rows go into each, the tasks that fill them, and their uploads.

Entry point: `part_files.PartFiles`. Imports nothing of the part's stages (`pipelines.export.part`).
"""
