"""An S3 store: listing, reading, and uploads that appear only when they are completed.

Entry points: `store.Store`, `upload`.
"""
