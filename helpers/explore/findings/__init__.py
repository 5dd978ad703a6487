"""What a finding leaves: short SQL, a report, and whether the difference appears again on a new server.

Entry points: `evidence`, `verify`, `known`.
"""
