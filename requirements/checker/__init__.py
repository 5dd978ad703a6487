"""Rules over specifications and their links, each with an id, a level and a hint."""
