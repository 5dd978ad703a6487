"""When and how parts are merged, and what readers see meanwhile."""
