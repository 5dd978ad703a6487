"""Executing a history on a server, statement by statement, and comparing the server with the model.

Entry points: `play`, `concurrent`, `crash`, `observe`.
"""
