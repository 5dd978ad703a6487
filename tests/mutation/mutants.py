"""Small changes to a Python module, each of which a test should notice."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
# What only describes: nobody tests the words of a message.
SKIPPED = ("annotation", "returns", "decorator_list", "msg", "exc", "cause")
EQUIVALENT = re.compile(r"#\s*equivalent: (\S.*)")


@dataclass(frozen=True)
class Mutant:
    """One change: where, what it was and what it is now, and the module's text with it."""

    module: str
    line: int
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.before} -> {self.after}"


def mutants_of(module: str, text: str) -> Iterator[Mutant]:
    """All changes of a module; none on a line that says why it can have no effect."""
    lines, tree = text.split("\n"), ast.parse(text)
    nodes = list(_nodes(tree))
    for index, node in enumerate(nodes):
        line = getattr(node, "lineno", 0)
        if line and EQUIVALENT.search(lines[line - 1]):
            continue
        for change in range(len(_changed(node))):
            altered = copy.deepcopy(tree)
            target = list(_nodes(altered))[index]
            new = _changed(target)[change]
            before, after = _shown(target), _shown(new)
            _replace(altered, target, new)
            source = ast.unparse(ast.fix_missing_locations(altered))
            yield Mutant(module, line, before, after, source)


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that can be changed, in the order of the source."""
    yield tree
    for name, value in ast.iter_fields(tree):
        if name in SKIPPED or (isinstance(tree, ast.JoinedStr) and name == "values"):
            continue
        for child in value if isinstance(value, list) else [value]:
            checked_only = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
            if isinstance(child, ast.AST) and not checked_only:
                yield from _nodes(child)


def _changed(node: ast.AST) -> list[ast.AST]:
    """What a node can become."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in COMPARISONS:
            return [_with(node, ops=[COMPARISONS[type(operator)]()])]
        case ast.BinOp(op=operator) if type(operator) in ARITHMETIC:
            return [_with(node, op=ARITHMETIC[type(operator)]())]
        case ast.BoolOp(op=operator):
            other = ast.And() if isinstance(operator, ast.Or) else ast.Or()
            return [_with(node, op=other)]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return [operand]
        case ast.Constant(value=bool(value)):
            return [ast.Constant(not value)]
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return [ast.Constant(value + 1)]
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            return [_with(node, test=ast.UnaryOp(ast.Not(), test))]
        case ast.Return(value=ast.expr() as value) if not _is_false(value):
            return [_with(node, value=ast.Constant(None))]
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()) | ast.Raise():
            return [ast.copy_location(ast.Pass(), node)]
        case ast.comprehension(ifs=[_, *_]):
            return [_with(node, ifs=[])]
    return []


def _is_false(node: ast.expr) -> bool:
    """Whether None in its place would be the same to whoever asks."""
    return isinstance(node, ast.Constant) and not node.value


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _replace(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Put a node in the place of another one."""
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list) and any(each is old for each in value):
                value[[each is old for each in value].index(True)] = new


def _shown(node: ast.AST) -> str:
    """The first line of a node."""
    if isinstance(node, ast.If | ast.While):
        return f"if {ast.unparse(node.test)}"
    if isinstance(node, ast.comprehension):
        return ast.unparse(node).strip()
    return ast.unparse(node).split("\n")[0][:100]
