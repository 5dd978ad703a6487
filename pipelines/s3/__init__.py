"""An S3 store: listing, reading, uploads that appear only when they are completed, and Hive's folder names.

Entry points: `store.Store`, `store.Place`, `hive_folders.folder`.
"""
