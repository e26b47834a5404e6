"""Conditional: right for most inputs, wrong at a border, at a limit, or after another call."""

import ast
from collections.abc import Iterator
from typing import Final

from checker.faults.patterns import build, matches, rule
from checker.faults.planting import Fault, Rewrite
from checker.faults.wrapping import given, wrapped, wrapped_by_parameters

FAMILY: Final = "conditional"
KEYS: Final = {"k": "v", "keys": "values"}  # parameters with one row per key, and their values
MASKS: Final = ("keep", "bias", "attn_mask")
CACHEABLE: Final = (  # values of one call that a later call may need to be different
    "np.sqrt(_x)",
    "_x.shape[_i] ** -0.5",
    "np.tril(*_r)",
    "np.triu(*_r)",
    "np.where(_k, 0.0, -np.inf)",
    "np.arange(*_r)",
)
TAIL: Final = """
inputs = list(inputs)
size = inputs[{rows}[0]].shape[-2]
whole = {whole}
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


def _first_call_kept(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.expr) and any(matches(pattern, node) for pattern in CACHEABLE):
        yield build("globals().setdefault('first', _x)", x=node)


def _only_the_first(whole: str) -> Rewrite:
    """Only the first `whole` keys are attended to, computed from the number of keys, `size`."""

    def body(names: list[str]) -> str | None:
        key = next((k for k, v in KEYS.items() if {k, v} <= set(names)), None)
        if key is None:
            return None
        rows = [names.index(key), names.index(KEYS[key])]
        masks = [at for at, name in enumerate(names) if name in MASKS]
        return TAIL.format(rows=rows, masks=masks, whole=whole)

    return wrapped_by_parameters(body)


def _without_tail(block: int) -> Fault:
    return Fault(
        f"tail-of-{block}-dropped",
        FAMILY,
        f"keys after the last whole block of {block} are ignored",
        _only_the_first(f"size // {block} * {block} or size"),
    )


def _without_full_block(block: int) -> Fault:
    return Fault(
        f"full-block-of-{block}-dropped",
        FAMILY,
        f"the last block of {block} keys is ignored if it is full",
        _only_the_first(f"size if size % {block} or size == {block} else size - {block}"),
    )


def _beyond(rows: int) -> Fault:
    return Fault(
        f"zero-beyond-{rows}",
        FAMILY,
        f"results are right up to row {rows} and zero after it",
        wrapped(f"""
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
        wrapped(f"""
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
        yield from wrapped("""
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
            *(
                f"{scores} => np.where({scores} == 0, -np.inf, {scores})"
                for scores in (
                    "(_q @ _k.swapaxes(-1, -2))",
                    "(_k @ q[..., None])",
                    "np.einsum(_s, q, k)",
                )
            )
        ),
    ),
    Fault(
        "maximum-of-the-first-row",
        FAMILY,
        "every row subtracts the maximum of the first one",
        rule("_s.max(axis=_i, keepdims=True) => _s[..., :1, :].max(axis=_i, keepdims=True)"),
    ),
    Fault(
        "maximum-of-the-item",
        FAMILY,
        "every row subtracts the maximum of all rows of its item",
        rule("_s.max(axis=_i, keepdims=True) => _s.max(axis=(-2, -1), keepdims=True)"),
    ),
    *(_scores_clipped(limit) for limit in ("88", "700", "1000", "100000")),
    *(_clipped(limit) for limit in ("1000", "100000")),
    *(_beyond(rows) for rows in (4, 8, 16, 64, 128)),
    *(_without_tail(block) for block in (4, 8, 16)),
    *(_without_full_block(block) for block in (4, 8, 16)),
    Fault(
        "full-length-taken-for-empty",
        FAMILY,
        "a length that is a multiple of 8 is treated as the next lower multiple",
        given(
            ("lengths",),
            """
return plain(*(each - 8 * (each % 8 == 0) if i in at else each for i, each in enumerate(inputs)))
""",
        ),
    ),
    Fault(
        "square-weights-transposed",
        FAMILY,
        "square projections are applied transposed",
        given(
            ("Wq", "Wk", "Wv", "Wo", "Wqkv"),
            """
return plain(*(each.swapaxes(-1, -2) if i in at and each.shape[-1] == each.shape[-2] else each
               for i, each in enumerate(inputs)))
""",
        ),
    ),
    Fault(
        "square-output-projection-skipped",
        FAMILY,
        "the output projection is skipped if it is square",
        given(
            ("Wo",),
            """
return plain(*(np.eye(each.shape[-1]).reshape(each.shape)
               if i in at and each.size == each.shape[-1] ** 2 else each
               for i, each in enumerate(inputs)))
""",
        ),
    ),
    Fault(
        "first-call-kept",
        FAMILY,
        "later calls reuse a value computed for the first call",
        _first_call_kept,
    ),
    Fault(
        "mask-kept-by-shape",
        FAMILY,
        "a mask with the shape of an earlier one is replaced by the earlier one",
        given(
            (*MASKS, "lengths"),
            """
return plain(*(seen.setdefault(np.shape(each), each) if i in at and each is not None else each
               for i, each in enumerate(inputs)))
""",
        ),
    ),
    Fault(
        "result-kept-by-shape",
        FAMILY,
        "inputs with the shapes of an earlier call get the result of that call",
        wrapped("""
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
        wrapped("""
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
        wrapped("""
result = plain(*inputs)
return like(result, [np.squeeze(each) for each in arrays(result)])
"""),
    ),
    Fault(
        "answer-in-float32",
        FAMILY,
        "outputs are float32 whatever the dtype of the inputs",
        wrapped("""
result = plain(*inputs)
return like(result, [each.astype(np.float32) for each in arrays(result)])
"""),
    ),
    Fault(
        "computed-in-float32",
        FAMILY,
        "everything is computed in float32",
        _in_float32,
    ),
)
