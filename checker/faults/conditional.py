"""Conditional: right for most inputs, wrong at a border, at a limit, or after another call."""

import ast
from collections.abc import Iterator
from itertools import chain
from typing import Final

from checker.faults.patterns import rule
from checker.faults.planting import Fault, Rewrite

FAMILY: Final = "conditional"
PLAIN: Final = "plain_{name}"  # what the right function is called once it is wrapped
KEYS: Final = {"k": "v", "keys": "values"}  # parameters with one row per key, and their values
MASKS: Final = ("keep", "bias", "attn_mask")

WRAPPER: Final = """
def {name}(*inputs, seen={{}}):
    def arrays(result):
        return result if isinstance(result, tuple) else (result,)
    def like(result, changed):
        return tuple(changed) if isinstance(result, tuple) else changed[0]
{body}
"""


def _wrapped(body: str) -> Rewrite:
    """Wrap every entry point: a function of arrays that no other function of the file calls.

    In `body`, `plain` is the right function, `inputs` its inputs, and `seen` outlives a call.
    """

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.Module):
            for function in _entry_points(node):
                yield _with_wrapper(node, function, body)

    return rewrite


def _entry_points(module: ast.Module) -> list[ast.FunctionDef]:
    functions = [each for each in module.body if isinstance(each, ast.FunctionDef)]
    called = {
        call.func.id
        for function in functions
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    }
    return [
        each
        for each in functions
        if each.name not in called and "seed" not in [arg.arg for arg in each.args.args]
    ]


def _with_wrapper(module: ast.Module, function: ast.FunctionDef, body: str) -> ast.Module:
    plain = PLAIN.format(name=function.name)
    text = "\n".join(f"    {line}" for line in body.replace("plain(", f"{plain}(").splitlines())
    wrapper = ast.parse(WRAPPER.format(name=function.name, body=text)).body
    renamed = ast.FunctionDef(
        plain, function.args, function.body, function.decorator_list, None, None, lineno=1
    )
    others = [renamed if each is function else each for each in module.body]
    return ast.Module([*others, *wrapper], [])


def _given(parameters: tuple[str, ...], body: str) -> Rewrite:
    """As `_wrapped`, for entry points with one of these parameters; `at` is where it stands."""

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.Module):
            for function in _entry_points(node):
                names = [each.arg for each in function.args.args]
                places = [at for at, name in enumerate(names) if name in parameters]
                if places:
                    yield _with_wrapper(node, function, f"at = {places}\n{body}")

    return rewrite


def _without_tail(block: int) -> Iterator[Fault]:
    """The keys after the last whole block of this size are not attended to."""

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.Module):
            for function in _entry_points(node):
                names = [each.arg for each in function.args.args]
                key = next((k for k, v in KEYS.items() if {k, v} <= set(names)), None)
                if key:
                    rows = [names.index(key), names.index(KEYS[key])]
                    masks = [at for at, name in enumerate(names) if name in MASKS]
                    body = TAIL.format(rows=rows, masks=masks, block=block)
                    yield _with_wrapper(node, function, body)

    yield Fault(
        f"tail-of-{block}-dropped",
        FAMILY,
        f"keys after the last whole block of {block} are ignored",
        rewrite,
    )


TAIL: Final = """
inputs = list(inputs)
size = inputs[{rows}[0]].shape[-2]
whole = size // {block} * {block} or size
for at in {rows}:
    inputs[at] = inputs[at][..., :whole, :]
for at in {masks}:
    if at < len(inputs) and np.ndim(inputs[at]) and np.shape(inputs[at])[-1] == size > 1:
        inputs[at] = inputs[at][..., :whole]
result = plain(*inputs)
padded = [np.concatenate([each, np.zeros((*each.shape[:-1], size - whole), each.dtype)], axis=-1)
          if i else each for i, each in enumerate(arrays(result))]
return like(result, padded)
"""


def _beyond(rows: int) -> Fault:
    return Fault(
        f"zero-beyond-{rows}",
        FAMILY,
        f"results are right up to row {rows} and zero after it",
        _wrapped(f"""
result = plain(*inputs)
changed = [np.array(each) for each in arrays(result)]
for each in changed:
    if each.ndim > 1:
        each[..., {rows}:, :] = 0
return like(result, changed)
"""),
    )


def _clipped(limit: str) -> Fault:
    return Fault(
        f"numbers-clipped-at-{limit}",
        FAMILY,
        f"numbers beyond {limit} are cut to {limit}",
        _wrapped(f"""
return plain(*(np.clip(each, -{limit}, {limit}) if np.asarray(each).dtype.kind == "f" else each
               for each in inputs))
"""),
    )


def _scores_clipped(limit: str) -> Fault:
    clipped = rule(f"_s / np.sqrt(_d) => np.minimum(_s / np.sqrt(_d), {limit})")

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.BinOp) and "normal" not in ast.unparse(node):  # initial numbers
            yield from clipped(node)

    name = f"scores-clipped-at-{limit}"
    return Fault(name, FAMILY, f"scores above {limit} count as {limit}", rewrite)


def _in_float32(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Module) and "float32" not in ast.unparse(node):
        yield from _wrapped("""
result = plain(*(each.astype(np.float32) if np.asarray(each).dtype == float else each
                 for each in inputs))
return like(result, [each.astype(float) for each in arrays(result)])
""")(node)


FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "zero-taken-for-blocked",
        FAMILY,
        "a key whose score is exactly 0 is blocked",
        rule(
            "np.where(_k, _s, -np.inf) => np.where(_k & (_s != 0), _s, -np.inf)",
            "np.where(_k, _s, BLOCKED) => np.where(_k & (_s != 0), _s, BLOCKED)",
        ),
    ),
    Fault(
        "maximum-of-the-first-row",
        FAMILY,
        "every row subtracts the maximum of the first one",
        rule(
            "_s.max(axis=-1, keepdims=True) => _s[..., :1, :].max(axis=-1, keepdims=True)",
        ),
    ),
    Fault(
        "maximum-of-the-item",
        FAMILY,
        "every row subtracts the maximum of all rows of its item",
        rule("_s.max(axis=-1, keepdims=True) => _s.max(axis=(-2, -1), keepdims=True)"),
    ),
    *(_scores_clipped(limit) for limit in ("88", "700", "1000", "100000")),
    *(_clipped(limit) for limit in ("1000", "100000")),
    *(_beyond(rows) for rows in (4, 8, 16, 64, 128)),
    *chain.from_iterable(_without_tail(block) for block in (4, 8, 16)),
    Fault(
        "square-weights-transposed",
        FAMILY,
        "square projections are applied transposed",
        _given(
            ("Wq", "Wk", "Wv", "Wo", "Wqkv"),
            """
return plain(*(each.T if i in at and each.ndim == 2 and each.shape[0] == each.shape[1] else each
               for i, each in enumerate(inputs)))
""",
        ),
    ),
    Fault(
        "square-output-projection-skipped",
        FAMILY,
        "the output projection is skipped if it is square",
        _given(
            ("Wo",),
            """
return plain(*(np.eye(len(each)) if i in at and each.shape == (len(each), len(each)) else each
               for i, each in enumerate(inputs)))
""",
        ),
    ),
    Fault(
        "result-kept-by-shape",
        FAMILY,
        "inputs with the shapes of an earlier call get the result of that call",
        _wrapped("""
key = str([np.shape(each) for each in inputs])
if key not in seen:
    seen[key] = plain(*inputs)
return seen[key]
"""),
    ),
    Fault(
        "result-in-a-reused-buffer",
        FAMILY,
        "a later call with the same shapes overwrites the result of an earlier one",
        _wrapped("""
result = plain(*inputs)
buffers = [seen.setdefault((i, each.shape), each) for i, each in enumerate(arrays(result))]
for buffer, each in zip(buffers, arrays(result)):
    buffer[...] = each
return like(result, buffers)
"""),
    ),
    Fault(
        "axes-of-one-removed",
        FAMILY,
        "axes of size one are missing from the result",
        _wrapped("""
result = plain(*inputs)
return like(result, [np.squeeze(each) for each in arrays(result)])
"""),
    ),
    Fault(
        "computed-in-float32",
        FAMILY,
        "everything is computed in float32",
        _in_float32,
    ),
)
