"""GitHub as its documentation describes it, as far as the workflows use it: a night can be rehearsed here."""
