"""What Plies relies on in Numba beyond its public interface, name by name, and what it leaves as it was."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

import plies
from plies.compiled import interpreting
from plies.engine.kernels import perft

FOLDER = Path(plies.__file__).parent

PUBLIC = {"numba", "numba.types", "numba.extending", "numba.core.errors"}

PRIVATE = {
    "numba.core.caching.NullCache": ("load_overload", "save_overload"),
    "numba.core.cgutils": ("alloca_once", "create_struct_proxy", "false_bit", "gep_inbounds", "voidptr_t"),
    "numba.core.codegen.JITCPUCodegen": (
        *("_function_pass_manager", "_library_class", "_pass_builder", "create_library", "set_env"),
    ),
    "numba.core.codegen.JITCodeLibrary": (
        *("_ensure_finalized", "_finalize_dynamic_globals", "_finalize_final_module"),
        *("_finalize_specific", "_optimize_functions", "_raise_if_finalized", "finalize"),
        "get_defined_functions",
        *("_verify_declare_only_symbols", "get_pointer_to_function", "has_dynamic_globals"),
    ),
    "numba.core.compiler.CompileResult": ("_rebuild", "_reduce"),
    "numba.core.compiler.CompilerBase": ("define_pipelines",),
    "numba.core.compiler.DefaultPassBuilder": ("define_nopython_pipeline",),
    "numba.core.compiler_machinery.FunctionPass": ("run_pass",),
    "numba.core.compiler_machinery.PassManager": ("_runPass", "add_pass_after", "finalize"),
    "numba.core.compiler_machinery.register_pass": (),
    "numba.core.errors": (
        *("ForceLiteralArg", "NumbaTypeError", "NumbaWarning", "WarningsFixer", "new_error_context"),
    ),
    "numba.core.imputils.lower_getattr_generic": (),
    "numba.core.ir": ("UNDEFINED", "Arg", "Assign", "Branch", "Const", "Expr"),
    "numba.core.ir_utils.get_definition": (),
    "numba.core.ir_utils.guard": (),
    "numba.core.lowering.Lower": (
        *("_cast_var", "create_cpython_wrapper", "init", "lower_binop", "lower_getitem", "setup_function"),
    ),
    "numba.core.postproc.PostProcessor": ("run",),
    "numba.core.serialize.NumbaPickler": ("reducer_override",),
    "numba.core.typed_passes.NativeLowering": ("lowering_class", "run_pass"),
    "numba.core.typed_passes.NopythonRewrites": ("run_pass",),
    "numba.core.typed_passes.NopythonTypeInference": ("run_pass",),
    "numba.core.typeinfer.TypeInferer": (
        *("build_constraint", "get_return_type", "propagate", "resolve_call", "return_types_from_partial"),
        *("seed_argument", "seed_return", "seed_type", "unify"),
    ),
    "numba.core.typing.templates.AbstractTemplate": ("apply",),
    "numba.core.typing.templates.AttributeTemplate": ("resolve",),
    "numba.core.typing.templates.ConcreteTemplate": (),
    "numba.core.typing.templates.infer_getattr": (),
    "numba.core.typing.templates.infer_global": (),
    "numba.core.typing.templates.signature": (),
    "numba.core.typing.typeof.Purpose": ("constant",),
    "numba.core.untyped_passes.DeadBranchPrune": (),
    "numba.core.untyped_passes.InlineClosureLikes": ("run_pass",),
    "numba.core.untyped_passes.RewriteSemanticConstants": ("run_pass",),
    "numba.cpython.unsafe.tuple.tuple_setitem": (),
    "numba.np.arrayobj.populate_array": (),
}
"""Every private name, with what is used of it."""

compiling = pytest.mark.skipif(interpreting(), reason="compilation is switched off")


def imported(file: Path) -> Iterator[tuple[str, str]]:
    """The module and the name of whatever a file imports."""
    source = file.read_text(encoding="utf-8")
    if "numba" not in source:  # most files, and to parse them takes long
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)


@pytest.mark.plain
def test_private_names_are_imported_by_two_modules():
    found = set()
    for file in FOLDER.rglob("*.py"):
        private = {
            f"{module}.{name}"
            for module, name in imported(file)
            if module.partition(".")[0] == "numba" and module not in PUBLIC
        }
        if file.name in ("numba_codegen.py", "numba_internals.py"):
            found |= private
        else:
            assert not private, file
    assert found == set(PRIVATE)


@pytest.mark.plain
@pytest.mark.parametrize("name", PRIVATE)
def test_a_private_name_is_there(name):
    module, _, last = name.rpartition(".")
    thing = getattr(importlib.import_module(module), last)
    missing = [part for part in PRIVATE[name] if not hasattr(thing, part)]
    assert not missing


@compiling
def test_short_generators_are_inlined():
    from numba import typeof

    from plies.compiled.game_type import game_type  # noqa: F401 (tells Numba what a game is)
    from plies.compiled.jit import jit_kernel

    game = plies.ConnectFour(width=5, height=4)
    dispatcher = jit_kernel(perft, "-shown")
    dispatcher.compile((typeof(game), typeof(game.initial()), typeof(1)))
    (text,) = dispatcher.inspect_llvm().values()
    calls = [line for line in text.splitlines() if " call " in line]
    assert any("perft" in line for line in calls)
    assert not any("next" in line for line in calls)


@compiling
@pytest.mark.long
def test_others_who_use_numba_find_it_as_it_was(tmp_path):
    program = """
        import numba
        from numba.core import config, typeinfer, typed_passes

        def nothing_changed():
            settings = {name: value for name, value in vars(config).items() if name.isupper()}
            return settings, dict(vars(typeinfer.TypeInferer)), dict(vars(typed_passes))

        def compiled():
            # Of a length that LLVM does not inline as it is set, and would at another threshold.
            steps = [f"if (x * {2 * j + 3} ^ y) % {j + 3} == {j}: y += x * y" for j in range(12)]
            scope = {}
            exec("\\n ".join(["def step(x, y):", *steps, "return y"]), scope)
            step = numba.njit(scope["step"])

            @numba.njit
            def total(n):
                found = 0
                for i in range(n):
                    found += step(i, n) - step(n, i)
                return found

            total(3)
            (text,) = total.inspect_llvm().values()
            return len(text.splitlines())

        before, lines = nothing_changed(), compiled()
        import plies
        from plies.engine.kernels import perft
        game = plies.Nim(heaps=(2, 3))
        assert perft.compiled_for(game, game.initial(), 3)(game, game.initial(), 3) > 0
        assert nothing_changed() == before
        assert compiled() == lines
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        env={"PATH": "", "PYTHONPATH": str(FOLDER.parent), "PLIES_CACHE_DIR": str(tmp_path)},
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
