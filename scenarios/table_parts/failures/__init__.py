"""Crashes while parts are written or dropped."""
