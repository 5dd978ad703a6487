"""ATTACH, DETACH and MOVE of partitions and parts, specified by SRS-103."""
