"""What was exported before into the folder of a part's file: skip it, refuse it, replace it, or adopt it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from pipelines.compare.fingerprint import Fingerprint
from pipelines.errors import PipelineError, Unavailable
from pipelines.export.commit import (
    EXPORT,
    EXTENSION,
    META,
    Commit,
    commit_key,
    finish_pending,
    may_concern,
    read_commits,
    unnamed,
    write_commit,
)
from pipelines.export.errors import Duplicated
from pipelines.export.expected import expected_rows, without_proof
from pipelines.export.names import has_own_layout
from pipelines.export.options import ERROR, OVERWRITE, Options
from pipelines.export.plan import Plan, PlannedPart
from pipelines.s3.store import Place

# More metadata of an object that tell a killed export's file from somebody else's.
SNAPSHOT, STEM = "snapshot", "part"


@dataclass(frozen=True)
class Uncommitted:
    """A complete file of this part that a killed export left without its commit file."""

    export_id: str
    size: int


@dataclass(frozen=True)
class Existing:
    """The files and commit files next to the file of one planned part."""

    plan: Plan
    planned: PlannedPart
    options: Options

    def find(self) -> bool | Uncommitted:
        """Whether the part was exported before and stays as it is; a refusal is an exception."""
        store, bucket, key = self.plan.destination.store, self._bucket, self.planned.key
        beside = self._beside()
        commit = self._committed(beside)
        near = self._near(beside)
        if self._finish_others([*near, *([commit] if commit else [])]):
            return self.find()
        self._refuse_unknown(beside)
        strays = self._strays(beside, commit)
        found = store.metadata(bucket, key) if key in beside else None
        if found and not self._is_this_part(found[1]):
            raise self._unknown_file(key)
        if self._overwrites:
            self._refuse_unproved(self._merged(beside))
            return False
        if strays:
            raise self._unknown_file(strays[0])
        if merged := self._merged(beside):
            if self.options.since_last and self._has_rows_of(merged):
                return self._skipped(merged[0].key)
            self._refuse_merged(merged)
        for other in (*self._older(beside), *([commit] if commit else [])):
            if other.is_there(beside):
                self._refuse_changed(other)
                return self._skipped(other.key)
            if other.files and any(name in beside for name in other.keys):
                raise Duplicated(
                    f"{other.file} names files that are not there any more: overwrite the others."
                )
        if found is None:
            return False
        if found[1].get(META + SNAPSHOT) == self.plan.snapshot.digest:
            return Uncommitted(found[1][META + EXPORT], found[0])
        raise Duplicated(
            f"s3://{bucket}/{key} is there already, and no commit file next to it says what it is."
        )

    def _is_this_part(self, headers: Mapping[str, str]) -> bool:
        """Whether a file of this part's file name is of this part; only a pattern can make it another's."""
        name = self.planned.key.rpartition("/")[2].removesuffix(EXTENSION)
        return headers.get(META + STEM, name) == self.planned.stem

    def replaced(self, new: Collection[str]) -> list[str]:
        """The keys that an overwrite by these new files removes, and those of them that it replaces: files of
        the same rows, and commit files of other parts."""
        beside = self._beside()
        self._refuse_unknown(beside)
        commits = (*self._merged(beside), *self._older(beside))
        keys = {key for commit in commits for key in (*commit.keys, commit.file)}
        if own := self._committed(beside):
            keys |= {*own.keys, *({own.file} - {self.planned.commit_key})}
        keys |= {*self._strays(beside, own), *({self.planned.key} & beside)}
        return sorted(keys - set(new) if len(new) == 1 else keys)

    def committed(self) -> Commit | None:
        """The commit file of this part, if there is one."""
        return self._committed(self._beside())

    def _beside(self) -> set[str]:
        return {name for name, _ in self.plan.destination.store.objects(self._folder)}

    def _strays(self, beside: Collection[str], commit: Commit | None) -> list[str]:
        """Numbered files of this part that its commit file does not name; a refusal if they are others'."""
        base = self.planned.key.removesuffix(EXTENSION)
        numbered = re.compile(re.escape(base) + r"\.\d+" + re.escape(EXTENSION))
        known = commit.keys if commit else []
        found = sorted(key for key in beside if numbered.fullmatch(key) and key not in known)
        for key in found:
            headers = self.plan.destination.store.metadata(self._bucket, key)
            if headers and headers[1].get(META + STEM) != self.planned.stem:
                raise self._unknown_file(key)
        return found

    def _unknown_file(self, key: str) -> Duplicated:
        return Duplicated(
            f"s3://{self._bucket}/{key} is there, and is not known to be of {self.planned.part.name} of "
            f"{self.plan.source} ({self.plan.source.identity}): no commit file next to it says so. "
            "Nothing was changed: remove the file, or export under another name or to another place."
        )

    def _finish_others(self, commits: Collection[Commit]) -> bool:
        """Complete what killed exports had decided on; whether there was anything."""
        store, source = self.plan.destination.store, self.plan.source.identity
        finished = False
        for commit in commits:
            if not commit.pending or commit.source != source:
                continue
            try:
                finish_pending(store, self._bucket, commit)
                finished = True
            except Unavailable:
                raise
            except PipelineError as error:
                if not self._overwrites:
                    raise Duplicated(
                        f"{commit.file} names files that cannot be completed: overwrite them. {error}"
                    ) from None
        return finished

    def _refuse_unproved(self, merged: list[Commit]) -> None:
        """Refuse to remove rows that this part may not have."""
        if self.options.unproved:
            return
        if unproved := without_proof(self.plan, self.planned, merged):
            first, part = unproved[0], self.planned.part.name
            raise Duplicated(
                f"{part} is not proved to have the rows of s3://{self._bucket}/{first.key}, although its "
                "block numbers say so: either numbers were given again, after a restart with an empty "
                "table or in a restored copy, or all of its rows were changed. Nothing was changed: export "
                "to another place, or add --overwrite-unproved if these files may be removed."
            )

    @property
    def _overwrites(self) -> bool:
        return self.options.if_exists == OVERWRITE

    def replaces_its_own(self) -> bool:
        """Whether there is a file that an overwrite by this part replaces."""
        found = self.plan.destination.store.metadata(self._bucket, self.planned.key)
        return found is not None and self._is_this_part(found[1])

    def _committed(self, beside: Collection[str]) -> Commit | None:
        """The commit file of this part, if there is one; a refusal if it is of another table."""
        name = self.planned.commit_key.rpartition("/")[2]
        keys = [key for key in beside if key.rpartition("/")[2] == name]
        commit = next(read_commits(self.plan.destination.store, self._bucket, keys), None)
        self._check_mine(commit)
        return commit

    def is_of(self, export_id: str) -> bool:
        """Whether this export wrote the file."""
        found = self.plan.destination.store.metadata(self._bucket, self.planned.key)
        return found is not None and found[1].get(META + EXPORT) == export_id

    def _skipped(self, key: str) -> bool:
        """True, or a refusal if existing files are an error."""
        if self.options.if_exists == ERROR:
            raise Duplicated(f"s3://{self._bucket}/{key} is there already.")
        return True

    def _refuse_changed(self, commit: Commit) -> None:
        """Refuse to skip a part with other rows since its export, by a patch or a pending mutation.

        These leave the name of the part and its checksum as they are.
        """
        now, part = self.plan.snapshot, self.planned.part.name
        may_differ = commit.snapshot != now.digest and (now.patches or now.pending_mutations)
        is_known = commit.fingerprint and commit.columns == self.plan.columns
        if may_differ and is_known and not self._has_rows_of([commit]):
            raise Duplicated(
                f"{part} was exported to s3://{self._bucket}/{commit.key}, and an UPDATE, a DELETE or a "
                "mutation has changed its rows since: to replace the file, overwrite."
            )

    def _merged(self, beside: Collection[str]) -> list[Commit]:
        """Exports of parts that this one was made of, or that were made of it."""
        table, part = self.plan.source, self.planned.part
        return [commit for commit in self._near(beside) if commit.covers_rows_of(table, part)]

    def _near(self, beside: Collection[str]) -> list[Commit]:
        """The commit files that may be about rows of this part.

        Their names exclude most of them unread: a partition may have thousands of parts.
        """
        store, table, part = self.plan.destination.store, self.plan.source, self.planned.part
        return list(
            read_commits(store, self._bucket, beside, lambda stem: may_concern(stem, table, part))
        )

    def _older(self, beside: Collection[str]) -> list[Commit]:
        """Exports of this very part under the file name of schema 1."""
        part, key, source = self.planned.part, self.planned.key, self.plan.source.identity
        return [
            commit
            for commit in self._near(beside)
            if (commit.part, commit.checksum, commit.source) == (part.name, part.checksum, source)
            and commit.key != key
        ]

    def _check_mine(self, commit: Commit | None) -> None:
        """Refuse to take or to replace the file of another table that has this part's file name."""
        if commit is not None and commit.source != self.plan.source.identity:
            raise Duplicated(
                f"s3://{self._bucket}/{commit.key} has rows of another table, {commit.owner}, and not of "
                f"{self.plan.source} ({self.plan.source.identity}). Nothing was changed: export to a "
                "place of its own."
            )

    def _refuse_unknown(self, beside: Collection[str]) -> None:
        """Refuse if a file may have these rows and does not name its server.

        With `adopt`, write into its commit file that it is of this server.
        """
        store, table, part = self.plan.destination.store, self.plan.source, self.planned.part
        unknown = [commit for commit in self._near(beside) if commit.may_cover_rows_of(table, part)]
        bare = f"{self.planned.key.rpartition('/')[0]}/{unnamed(part)}"
        if f"{bare}{EXTENSION}" in beside and commit_key(f"{bare}{EXTENSION}") not in beside:
            raise Duplicated(
                f"s3://{self._bucket}/{bare}{EXTENSION} is there, and no commit file next to it says what "
                "it is. Nothing was changed: remove the file, or export to another place."
            )
        if unknown and not self.options.adopt:
            raise Duplicated(
                f"s3://{self._bucket}/{unknown[0].key} was exported by an older version and does not say "
                f"from which server. It may have rows of {part.name} of {table}, or of another server's "
                "table of that name. Nothing was changed: if this place has files of this server only, "
                "repeat with --adopt; else export to another place."
            )
        for commit in unknown:
            write_commit(store, self._bucket, replace(commit, source=table.identity))

    def _has_rows_of(self, merged: list[Commit]) -> bool:
        """Whether the part has exactly the rows of these files: fingerprints of disjoint rows add up."""
        expected = expected_rows(self.plan, [self.planned], with_fingerprint=True)
        fingerprint = expected[self.planned.part.name].fingerprint
        known = [commit.fingerprint for commit in merged if commit.fingerprint]
        same_columns = all(commit.columns == self.plan.columns for commit in merged)
        if fingerprint is None or len(known) < len(merged) or not same_columns:
            return False
        return sum(known, Fingerprint()) == fingerprint

    def _refuse_merged(self, merged: list[Commit]) -> None:
        part, first = self.planned.part.name, merged[0].part
        if self.options.since_last:
            raise Duplicated(
                f"{part} has rows that were exported, as part {first}, and others: they cannot be told "
                "apart. To replace those files by this part, overwrite."
            )
        raise Duplicated(
            f"Rows of {part} were exported already, as part {first}: to replace those files by this part, "
            "overwrite; to skip a part that has exactly their rows, use --since-last."
        )

    @property
    def _folder(self) -> Place:
        """Where everything of the same rows is: the folder of the file, or the whole place if the lake has
        a layout of its own, in which they may lie elsewhere."""
        if has_own_layout(self.plan.source):
            return self.plan.destination.place
        folder = self.planned.key.rpartition("/")[0]
        return Place(self._bucket, f"{folder}/" if folder else "")

    @property
    def _bucket(self) -> str:
        return self.plan.destination.place.bucket
