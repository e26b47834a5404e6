"""Wrapping: a file whose entry points are right functions inside wrong ones."""

import ast
from collections.abc import Callable, Iterator
from typing import Final

from checker.faults.planting import Rewrite

PLAIN: Final = "plain_{name}"  # what the right function is called once it is wrapped
WRAPPER: Final = """
def {name}(*inputs, seen={{}}):
    def arrays(result):
        return result if isinstance(result, tuple) else (result,)
    def like(result, changed):
        return tuple(changed) if isinstance(result, tuple) else changed[0]
{body}
"""


def wrapped(body: str) -> Rewrite:
    """Wrap every entry point: a function of arrays that no other function of the file calls.

    In `body`, `plain` is the right function, `inputs` its inputs, and `seen` outlives a call.
    """
    return wrapped_by_parameters(lambda names: body)


def given(parameters: tuple[str, ...], body: str) -> Rewrite:
    """As `wrapped`, for entry points with one of these parameters; `at` lists their places."""

    def body_for(names: list[str]) -> str | None:
        places = [at for at, name in enumerate(names) if name in parameters]
        return f"at = {places}\n{body}" if places else None

    return wrapped_by_parameters(body_for)


def wrapped_by_parameters(body_for: Callable[[list[str]], str | None]) -> Rewrite:
    """As `wrapped`, with a body made from the names of the parameters, or None to skip."""

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.Module):
            for function in _entry_points(node):
                body = body_for([each.arg for each in function.args.args])
                if body:
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
